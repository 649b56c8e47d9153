length(X,N) :- zero(X), zero(N).
length(X,N) :- cons(X,Y), length(Y,M), succ(M,N).
