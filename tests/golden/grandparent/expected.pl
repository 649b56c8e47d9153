% folder.pl
:- dynamic father/2, mother/2.
grandparent(X,Y) :- father(X,Z), father(Z,Y).
grandparent(X,Y) :- mother(X,Z), father(Z,Y).
% gradient.pl
:- dynamic father/2, mother/2.
grandparent(X,Y) :- aux1(X,Z), aux1(Z,Y).
aux1(X,Y) :- father(X,Y).
aux1(X,Y) :- mother(X,Y).
% task.pl
:- dynamic father/2, mother/2.
grandparent(X,Y) :- aux1(X,Z), aux1(Z,Y).
aux1(X,Y) :- father(X,Y).
aux1(X,Y) :- mother(X,Y).
% folder.json: restarts 21, fitting 20, different 2, trials 117684, iterations 0, bits 42.4362, final_loss 0, accuracy 100, false_positives 0, false_negatives 0
% gradient.json: restarts 1, fitting 1, different 1, trials 0, iterations 1500, bits 63.0418, final_loss 0.0599193, accuracy 100, false_positives 0, false_negatives 0
% task.json: restarts 20, fitting 20, different 1, trials 133024, iterations 0, bits 63.0418, final_loss 0, accuracy 100, false_positives 0, false_negatives 0
