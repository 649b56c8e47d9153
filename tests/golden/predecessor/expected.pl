% folder.pl
:- dynamic succ/2.
predecessor(X,Y) :- succ(Y,X).
% gradient.pl
:- dynamic succ/2.
predecessor(X,Y) :- succ(Y,X).
% task.pl
:- dynamic succ/2.
predecessor(X,Y) :- succ(Y,X).
% folder.json: restarts 21, fitting 20, different 1, trials 101196, iterations 0, bits 19.0154, final_loss 0, accuracy 100, false_positives 0, false_negatives 0
% gradient.json: restarts 1, fitting 1, different 1, trials 0, iterations 1500, bits 19.0154, final_loss 0.0482918, accuracy 100, false_positives 0, false_negatives 0
% task.json: restarts 20, fitting 20, different 1, trials 101186, iterations 0, bits 19.0154, final_loss 0, accuracy 100, false_positives 0, false_negatives 0
