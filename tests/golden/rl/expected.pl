% boxes.pl
:- dynamic closed/1, key_to/2, opened/1.
open(X) :- closed(X), opened(Y), key_to(Y,X).
% on.pl
:- dynamic goal_on/2, on/2, top/1.
move(X,Y) :- top(X), top(Y), goal_on(X,Y).
move(X,_) :- top(X), on(Y,_), on(X,Y).
% stack.pl
:- dynamic on/2, top/1.
move(X,Y) :- aux1(X,Z), on(Y,Z), top(Y), top(X).
aux1(_,X) :- on(X,_).
aux1(X,Y) :- on(X,Y).
% unstack.pl
:- dynamic floor/1, on/2, top/1.
move(X,Y) :- top(X), on(X,Z), on(Z,_), floor(Y).
% boxes.json: restarts 1, updates 80, evaluations 20293, needed 263
% on.json: restarts 2, updates 80, evaluations 88536, needed 67049
% stack.json: restarts 1, updates 480, evaluations 40619, needed 18206
% unstack.json: restarts 1, updates 400, evaluations 64991, needed 44943
