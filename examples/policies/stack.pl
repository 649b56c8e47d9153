% Stack, from any start: onto a stack that is at least as high. Each move makes the squares of the
% heights add up to more, so that it ends, in one stack.
move(X,Y) :- top(X), top(Y), as_high(Y,X).
as_high(Y,X) :- on(Y,_), on(X,Z), floor(Z).
as_high(Y,X) :- on(Y,V), as_high(V,U), on(X,U).
