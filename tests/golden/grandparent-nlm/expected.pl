grandparent(X,Y) :- parent(X,Z), parent(Z,Y).
parent(X,Y) :- son(Y,X).
parent(X,Y) :- daughter(Y,X).
