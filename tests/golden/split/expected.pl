% program.pl
:- dynamic closed/1, has_car/2, short/1.
eastbound(X) :- has_car(X,Y), closed(Y), short(Y).
% program.json: restarts 21, fitting 20, different 1, trials 104921, iterations 0, bits 27.1363, final_loss 0, accuracy 100, false_positives 0, false_negatives 0
