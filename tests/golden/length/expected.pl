% folder.pl
:- redefine_system_predicate(length(_,_)).
:- dynamic cons/2, succ/2, zero/1.
length(X,Y) :- succ(X,Z), cons(Y,Z).
length(X,Y) :- cons(X,Y), succ(Y,X).
length(X,Y) :- zero(Y), zero(X).
% gradient.pl
:- redefine_system_predicate(length(_,_)).
:- table aux1/2.
:- dynamic cons/2, succ/2, zero/1.
length(X,Y) :- zero(X), zero(Y).
length(X,Y) :- aux1(X,Z), succ(Z,Y).
aux1(X,Y) :- aux1(X,Z), cons(Z,_), cons(Y,_).
aux1(X,Y) :- cons(X,Y).
% task.pl
:- redefine_system_predicate(length(_,_)).
:- table length/2.
:- dynamic cons/2, succ/2, zero/1.
length(X,Y) :- cons(X,Z), length(Z,U), succ(U,Y).
length(X,Y) :- zero(X), zero(Y).
% folder.json: restarts 23, fitting 20, different 15, trials 559210, iterations 0, bits 52.5321, final_loss 0, accuracy 100, false_positives 0, false_negatives 0
% gradient.json: restarts 2, fitting 0, different 0, trials 0, iterations 3000, bits 1745.6, final_loss 4.23229, accuracy 76, false_positives 600, false_negatives 0
% task.json: restarts 11, fitting 1, different 1, trials 1002105, iterations 0, bits 63.0442, final_loss 0, accuracy 100, false_positives 0, false_negatives 0
