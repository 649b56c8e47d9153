pos(adjacent_to_red(0)).
pos(adjacent_to_red(1)).
pos(adjacent_to_red(2)).
pos(adjacent_to_red(3)).
pos(adjacent_to_red(6)).
neg(adjacent_to_red(4)).
neg(adjacent_to_red(5)).
