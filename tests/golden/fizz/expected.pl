fizz(X) :- zero(X).
fizz(X) :- fizz(Y), plus3(Y,X).
plus3(X,Y) :- succ(X,Z), plus2(Z,Y).
plus2(X,Y) :- succ(X,Z), succ(Z,Y).
