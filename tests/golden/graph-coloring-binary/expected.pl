% folder.pl
:- dynamic colour/2, edge/2.
adjacent_to_same(X,Y) :- colour(X,Z), colour(Y,Z), edge(X,Y).
% gradient.pl
:- dynamic edge/2.
adjacent_to_same(X,Y) :- edge(X,Y).
% task.pl
:- dynamic colour/2, edge/2.
adjacent_to_same(X,Y) :- colour(X,Z), colour(Y,Z), edge(X,Y).
% folder.json: restarts 21, fitting 20, different 3, trials 384031, iterations 0, bits 30.9737, final_loss 0, accuracy 100, false_positives 0, false_negatives 0
% gradient.json: restarts 2, fitting 0, different 0, trials 0, iterations 60000, bits 2596.28, final_loss 6.00941, accuracy 94.7, false_positives 1299, false_negatives 0
% task.json: restarts 21, fitting 20, different 1, trials 453738, iterations 0, bits 47.4604, final_loss 0, accuracy 100, false_positives 0, false_negatives 0
