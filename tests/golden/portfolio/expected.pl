% program.pl
:- redefine_system_predicate(length(_,_)).
:- table length/2.
:- dynamic cons/2, succ/2, zero/1.
length(X,Y) :- aux1(X,Y), succ(Z,Y), length(Z,X).
length(X,Y) :- aux1(X,Y), aux1(Y,X).
length(X,Y) :- cons(X,Z), succ(Z,Y).
aux1(X,Y) :- zero(X), zero(Y).
aux1(X,Y) :- cons(X,Y).
% program.json: restarts 57, fitting 0, different 0, trials 4460000, iterations 2000, bits 2401.02, final_loss 0, accuracy 84.8, false_positives 220, false_negatives 301
