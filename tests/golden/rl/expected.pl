% boxes.pl
:- dynamic closed/1, key_to/2, opened/1.
open(X) :- closed(X), opened(Y), key_to(Y,X).
% on.pl
:- dynamic goal_on/2, on/2, top/1.
move(X,Y) :- top(X), top(Y), goal_on(X,Y).
move(X,_) :- top(X), on(Y,_), on(X,Y).
% stack.pl
:- dynamic floor/1, on/2, top/1.
move(X,Y) :- on(X,Z), floor(Z), top(Y), top(X).
% unstack.pl
:- dynamic floor/1, on/2, top/1.
move(X,Y) :- top(X), on(X,Z), on(Z,_), floor(Y).
% boxes.json: restarts 1, updates 80, evaluations 20293, needed 263
% on.json: restarts 2, updates 80, evaluations 88536, needed 67049
% stack.json: restarts 2, updates 80, evaluations 200104, needed -1
% unstack.json: restarts 1, updates 400, evaluations 64991, needed 44943
