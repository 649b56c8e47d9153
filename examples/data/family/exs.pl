pos(grandparent(carl, ann)).   neg(grandparent(carl, bob)).
pos(grandparent(dora, ann)).   neg(grandparent(dora, eva)).
pos(grandparent(carl, tom)).   neg(grandparent(bob, ann)).
pos(grandparent(dora, tom)).   neg(grandparent(gina, max)).
pos(grandparent(emil, ann)).   neg(grandparent(leo, tom)).
pos(grandparent(emil, max)).   neg(grandparent(ann, carl)).
pos(grandparent(fay, ann)).    neg(grandparent(emil, tom)).
pos(grandparent(fay, max)).    neg(grandparent(eva, ann)).
                               neg(grandparent(tom, dora)).
