% folder.pl
:- dynamic father/2, mother/2.
grandparent(X,Y) :- father(X,Z), father(Z,Y).
grandparent(X,Y) :- father(X,Z), mother(Z,Y).
grandparent(X,Y) :- mother(X,Z), father(Z,Y).
grandparent(X,Y) :- mother(X,Z), mother(Z,Y).
% task.pl
:- dynamic father/2, mother/2.
grandparent(X,Y) :- father(X,Z), father(Z,Y).
grandparent(X,Y) :- father(X,Z), mother(Z,Y).
grandparent(X,Y) :- mother(X,Z), father(Z,Y).
grandparent(X,Y) :- mother(X,Z), mother(Z,Y).
% folder.json: restarts 1, fitting 1, different 1, trials 0, iterations 467, bits 76.9655, final_loss 0.000311499, accuracy 100, false_positives 0, false_negatives 0
% task.json: restarts 1, fitting 1, different 1, trials 0, iterations 790, bits 93.5907, final_loss 0.00476154, accuracy 100, false_positives 0, false_negatives 0
