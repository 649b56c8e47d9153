pos(adjacent_to_same(2)).
pos(adjacent_to_same(3)).
pos(adjacent_to_same(5)).
neg(adjacent_to_same(0)).
neg(adjacent_to_same(1)).
neg(adjacent_to_same(4)).
neg(adjacent_to_same(6)).
neg(adjacent_to_same(7)).
