pos(two_children(2)).
neg(two_children(0)).
neg(two_children(1)).
neg(two_children(3)).
neg(two_children(4)).
