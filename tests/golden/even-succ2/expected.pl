even(X) :- zero(X).
even(X) :- even(Y), succ2(Y,X).
succ2(X,Y) :- succ(X,Z), succ(Z,Y).
