pos(cyclic(0)).
pos(cyclic(4)).
neg(cyclic(1)).
neg(cyclic(2)).
neg(cyclic(3)).
neg(cyclic(5)).
