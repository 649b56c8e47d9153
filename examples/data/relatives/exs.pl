pos(grandmother(dora, ann)).   neg(grandmother(carl, ann)).
pos(grandmother(dora, max)).   neg(grandmother(dora, bob)).
pos(grandmother(dora, tom)).   neg(grandmother(emil, max)).
pos(grandmother(fay, ann)).    neg(grandmother(eva, tom)).
pos(grandmother(fay, max)).    neg(grandmother(ann, dora)).
                               neg(grandmother(fay, tom)).
pos(brother(bob, eva)).        neg(brother(eva, bob)).
pos(brother(max, ann)).        neg(brother(ann, max)).
pos(brother(tom, ned)).        neg(brother(carl, eva)).
pos(brother(ned, tom)).        neg(brother(leo, ned)).
                               neg(brother(tom, max)).
                               neg(brother(max, gina)).
