cyclic(X) :- path(X,Y), path(Y,X).
path(X,Y) :- edge(X,Y).
path(X,Y) :- path(X,Z), path(Z,Y).
