% target: next/3
next(X,Y,Z) :- score(X,Y,Z), size(X,U), U >= 100, Z < U.
next(X,'A b',[1,f(x)|y]) :- score(X,_,_), \+ size(X,2.5).
