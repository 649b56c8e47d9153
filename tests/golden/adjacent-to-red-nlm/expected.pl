% folder.pl
:- dynamic edge/2, red/1.
adjacent_to_red(X) :- edge(X,Y), red(Y).
adjacent_to_red(X) :- red(X).
% gradient.pl
:- dynamic edge/2, red/1.
adjacent_to_red(X) :- edge(X,Y), red(Y).
adjacent_to_red(X) :- red(X).
% task.pl
:- dynamic edge/2, red/1.
adjacent_to_red(X) :- edge(X,Y), red(Y).
adjacent_to_red(X) :- red(X).
% folder.json: restarts 21, fitting 20, different 4, trials 105510, iterations 0, bits 28.0947, final_loss 0, accuracy 100, false_positives 0, false_negatives 0
% gradient.json: restarts 1, fitting 1, different 1, trials 0, iterations 1500, bits 43.9966, final_loss 0.00815531, accuracy 100, false_positives 0, false_negatives 0
% task.json: restarts 20, fitting 20, different 2, trials 105284, iterations 0, bits 43.9966, final_loss 0, accuracy 100, false_positives 0, false_negatives 0
