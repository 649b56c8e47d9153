pos(fizz(0)).
pos(fizz(3)).
pos(fizz(6)).
neg(fizz(1)).
neg(fizz(2)).
neg(fizz(4)).
neg(fizz(5)).
