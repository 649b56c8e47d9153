% boxes.pl
:- dynamic closed/1, key_to/2, opened/1.
open(X) :- closed(X), key_to(Y,X), opened(Y).
% on.pl
:- dynamic floor/1, goal_on/2, on/2, top/1.
move(X,Y) :- aux1(X,Y), floor(Y), top(X).
move(X,Y) :- aux1(X,Y), top(Y), top(X).
aux1(X,Y) :- on(X,Z), on(Z,_), floor(Y).
aux1(X,Y) :- goal_on(X,Y).
% stack.pl
:- dynamic floor/1, on/2, top/1.
move(X,Y) :- top(X), floor(Z), on(X,Z), top(Y).
% unstack.pl
:- dynamic floor/1, on/2, top/1.
move(X,Y) :- on(X,Z), on(Z,_), top(X), floor(Y).
% boxes.json: restarts 1, updates 60, evaluations 10025, needed 479
% on.json: restarts 1, updates 320, evaluations 20085, needed 1
% stack.json: restarts 1, updates 320, evaluations 20051, needed -1
% unstack.json: restarts 1, updates 320, evaluations 20056, needed 1
