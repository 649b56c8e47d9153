% program.pl
:- dynamic edge/2.
two_steps(X,Y) :- edge(X,Z), edge(Z,Y).
% program.json: restarts 8, fitting 0, different 0, trials 517892, iterations 0, bits 62.3879, final_loss 0, accuracy 95.1389, false_positives 0, false_negatives 7
% program.json, fold 1: restarts 8, fitting 0, different 0, trials 517474, iterations 0, bits 55.1616, final_loss 0, accuracy 97.2222, false_positives 0, false_negatives 6
:- dynamic edge/2.
two_steps(X,Y) :- edge(X,Z), edge(Z,Y).
% program.json, fold 2: restarts 8, fitting 0, different 0, trials 517637, iterations 0, bits 47.3779, final_loss 0, accuracy 91.6667, false_positives 0, false_negatives 4
:- dynamic edge/2.
two_steps(X,Y) :- edge(X,Z), edge(Z,Y).
% program.json, fold 3: restarts 8, fitting 0, different 0, trials 518136, iterations 0, bits 55.1616, final_loss 0, accuracy 97.2222, false_positives 0, false_negatives 6
:- dynamic edge/2.
two_steps(X,Y) :- edge(X,Z), edge(Z,Y).
% program.json, fold 4: restarts 8, fitting 0, different 0, trials 518770, iterations 0, bits 51.3938, final_loss 0, accuracy 94.4444, false_positives 0, false_negatives 5
:- dynamic edge/2.
two_steps(X,Y) :- edge(X,Z), edge(Z,Y).
