% folder.pl
:- dynamic colour/2, edge/2, red/1.
adjacent_to_red(X) :- colour(Y,Z), red(Z), edge(X,Y).
% gradient.pl
:- dynamic colour/2, edge/2, red/1.
adjacent_to_red(X) :- edge(X,Y), colour(Y,Z), red(Z).
% task.pl
:- dynamic colour/2, edge/2, red/1.
adjacent_to_red(X) :- edge(X,Y), colour(Y,Z), red(Z).
% folder.json: restarts 21, fitting 20, different 2, trials 132118, iterations 0, bits 25.6797, final_loss 0, accuracy 100, false_positives 0, false_negatives 0
% gradient.json: restarts 1, fitting 1, different 1, trials 0, iterations 1500, bits 41.5612, final_loss 0.0340632, accuracy 100, false_positives 0, false_negatives 0
% task.json: restarts 20, fitting 20, different 2, trials 121347, iterations 0, bits 41.5612, final_loss 0, accuracy 100, false_positives 0, false_negatives 0
