% binary.pl
connected(_,_).
% unary.pl
:- dynamic edge/2, red/1.
adjacent_to_red(X) :- edge(X,Y), red(Y).
adjacent_to_red(X) :- red(X).
% binary.json: restarts 1, fitting 0, different 0, trials 0, iterations 100, bits 1.05563e+06, final_loss 2836.87, accuracy 72.6354, false_positives 323837, false_negatives 0
% unary.json: restarts 1, fitting 1, different 1, trials 0, iterations 600, bits 49.9473, final_loss 0.185397, accuracy 100, false_positives 0, false_negatives 0
