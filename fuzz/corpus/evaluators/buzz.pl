buzz(X) :- zero(X).
buzz(X) :- buzz(Y), plus5(Y,X).
plus5(X,Y) :- pred1(X,Z), pred2(Z,Y).
