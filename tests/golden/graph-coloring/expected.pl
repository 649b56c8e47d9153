% folder.pl
:- dynamic colour/2, edge/2.
adjacent_to_same(X) :- colour(X,Y), colour(Z,Y), edge(X,Z).
% gradient.pl
:- dynamic colour/2, edge/2.
adjacent_to_same(X) :- edge(X,Y), colour(Y,Z), colour(X,Z).
% task.pl
:- dynamic colour/2, edge/2.
adjacent_to_same(X) :- colour(X,Y), colour(Z,Y), edge(X,Z).
% folder.json: restarts 22, fitting 20, different 3, trials 408354, iterations 0, bits 26.0196, final_loss 0, accuracy 100, false_positives 0, false_negatives 0
% gradient.json: restarts 1, fitting 1, different 1, trials 0, iterations 10500, bits 41.8946, final_loss 0.0873433, accuracy 100, false_positives 0, false_negatives 0
% task.json: restarts 20, fitting 20, different 1, trials 196220, iterations 0, bits 41.8946, final_loss 0, accuracy 100, false_positives 0, false_negatives 0
