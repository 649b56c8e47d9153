% program.pl
:- dynamic edge/2.
two_steps(X,Y) :- edge(X,Z), edge(Z,Y).
% program.json: restarts 16, fitting 0, different 0, trials 1637892, iterations 0, bits 62.3879, final_loss 0, accuracy 95.1389, false_positives 0, false_negatives 7
