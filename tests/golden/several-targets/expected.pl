% program.pl
:- table ancestor/2.
:- dynamic female/1, male/1, parent/2.
grandparent(X,Y) :- parent(X,Z), parent(Z,Y).
ancestor(X,Y) :- ancestor(X,Z), ancestor(Z,Y).
ancestor(X,Y) :- parent(X,Y).
father(X,Y) :- male(X), parent(X,Y).
mother(X) :- female(X), parent(X,_).
% program.json, target 1: restarts 21, fitting 20, different 1, trials 108129, iterations 0, bits 28.2189, final_loss 0, accuracy 100, false_positives 0, false_negatives 0
% program.json, target 2: restarts 21, fitting 20, different 1, trials 283285, iterations 0, bits 39.4204, final_loss 0, accuracy 100, false_positives 0, false_negatives 0
% program.json, target 3: restarts 21, fitting 20, different 1, trials 122798, iterations 0, bits 23.1699, final_loss 0, accuracy 100, false_positives 0, false_negatives 0
% program.json, target 4: restarts 21, fitting 20, different 1, trials 118007, iterations 0, bits 18, final_loss 0, accuracy 100, false_positives 0, false_negatives 0
