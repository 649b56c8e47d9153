son(X,Y) :- father(Y,X), man(X).
man(X) :- father(X,Y).
man(X) :- brother(X,Y).
