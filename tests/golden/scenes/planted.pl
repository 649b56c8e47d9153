vase(X) :- with(X,Y), flowers(Y).
wrist(X) :- on(Y,X), watch(Y).
