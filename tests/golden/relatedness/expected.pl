related(X,Y) :- parent(X,Y).
related(X,Y) :- parent(Y,X).
related(X,Y) :- related(X,Z), related(Z,Y).
