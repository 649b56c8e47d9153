% folder.pl
:- dynamic parent/2.
related(X,Y) :- aux1(X), aux1(Y).
aux1(X) :- parent(X,_).
aux1(X) :- parent(_,X).
% gradient.pl
:- table aux1/2.
:- dynamic parent/2.
related(X,Y) :- aux1(X,Y), aux1(Y,X).
aux1(X,Y) :- aux2(X,Z), aux1(Z,Y).
aux1(X,Y) :- aux2(X,Y).
aux2(X,Y) :- parent(Y,X).
aux2(X,Y) :- parent(X,Y).
% task.pl
:- table related/2.
:- dynamic parent/2.
related(X,Y) :- related(X,Z), related(Z,Y).
related(X,Y) :- parent(Y,X).
related(X,Y) :- parent(X,Y).
% folder.json: restarts 21, fitting 20, different 2, trials 109035, iterations 0, bits 37.7386, final_loss 0, accuracy 100, false_positives 0, false_negatives 0
% gradient.json: restarts 1, fitting 1, different 1, trials 0, iterations 1500, bits 89.8363, final_loss 0.34604, accuracy 100, false_positives 0, false_negatives 0
% task.json: restarts 20, fitting 20, different 2, trials 112517, iterations 0, bits 57.8363, final_loss 0, accuracy 100, false_positives 0, false_negatives 0
