% folder.pl
:- dynamic edge/2, neq/2.
two_children(X) :- edge(X,Y), edge(X,Z), neq(Z,Y).
% gradient.pl
:- dynamic edge/2, neq/2.
two_children(X) :- edge(X,Y), neq(Y,Z), edge(X,Z).
% task.pl
:- dynamic edge/2, neq/2.
two_children(X) :- edge(X,Y), edge(X,Z), neq(Z,Y).
% folder.json: restarts 21, fitting 20, different 1, trials 374792, iterations 0, bits 24.7565, final_loss 0, accuracy 100, false_positives 0, false_negatives 0
% gradient.json: restarts 1, fitting 1, different 1, trials 0, iterations 1500, bits 40.2666, final_loss 0.0493872, accuracy 100, false_positives 0, false_negatives 0
% task.json: restarts 20, fitting 20, different 1, trials 280984, iterations 0, bits 40.2666, final_loss 0, accuracy 100, false_positives 0, false_negatives 0
