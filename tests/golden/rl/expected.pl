% boxes.pl
:- dynamic closed/1, key_to/2, opened/1.
open(X) :- opened(Y), closed(X), key_to(Y,X).
% on.pl
:- dynamic floor/1, goal_on/2, on/2, top/1.
move(X,Y) :- goal_on(X,Y), top(Y), top(X).
move(X,Y) :- on(X,Z), on(Z,_), floor(Y), top(X).
% stack.pl
:- dynamic floor/1, on/2, top/1.
move(X,Y) :- on(Y,Z), on(Z,_), top(Y), top(X).
move(X,Y) :- on(X,Z), floor(Z), top(Y), top(X).
% unstack.pl
:- dynamic floor/1, on/2, top/1.
move(X,Y) :- on(X,Z), on(Z,_), floor(Y), top(X).
% boxes.json: restarts 1, updates 40, evaluations 29869, needed 3041
% on.json: restarts 1, updates 40, evaluations 37773, needed 17615
% stack.json: restarts 1, updates 40, evaluations 100109, needed 81767
% unstack.json: restarts 1, updates 40, evaluations 39544, needed 17419
