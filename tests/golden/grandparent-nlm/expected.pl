% folder.pl
:- dynamic son/2.
grandparent(X,Y) :- son(Y,Z), son(Z,X).
% gradient.pl
:- dynamic father/2, mother/2.
grandparent(X,Y) :- aux1(X,Z), aux1(Z,Y).
aux1(X,Y) :- mother(X,Y).
aux1(X,Y) :- father(X,Y).
% task.pl
:- dynamic daughter/2, father/2, mother/2, son/2.
grandparent(X,Y) :- daughter(Z,X), mother(Z,Y).
grandparent(X,Y) :- son(Z,X), father(Z,Y).
% folder.json: restarts 21, fitting 20, different 4, trials 110780, iterations 0, bits 27.3824, final_loss 0, accuracy 100, false_positives 0, false_negatives 0
% gradient.json: restarts 1, fitting 1, different 1, trials 0, iterations 1500, bits 67.1365, final_loss 0.0433716, accuracy 100, false_positives 0, false_negatives 0
% task.json: restarts 20, fitting 20, different 4, trials 149627, iterations 0, bits 63.4831, final_loss 0, accuracy 100, false_positives 0, false_negatives 0
