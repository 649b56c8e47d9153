has_father(X) :- father(Y,X).
