even(X) :- zero(X).
even(X) :- odd(Y), succ(Y,X).
odd(X) :- even(Y), succ(Y,X).
