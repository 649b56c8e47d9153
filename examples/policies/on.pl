% On, from any start, in the fewest moves: take down what is above a or b, then a onto b.
move(X,Y) :- top(X), above(X,Z), goal_on(Z,_), floor(Y).
move(X,Y) :- top(X), above(X,Z), goal_on(_,Z), floor(Y).
move(X,Y) :- goal_on(X,Y), top(X), top(Y).
above(X,Y) :- on(X,Y).
above(X,Y) :- on(X,Z), above(Z,Y).
