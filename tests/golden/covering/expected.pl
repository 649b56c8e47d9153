% program.pl
:- dynamic blue/1, large/1, old/1, piece/2, red/1, round/1, touches/2, upright/1.
good(X) :- piece(X,Y), touches(Y,Z), large(Y), blue(Z), round(Y).
good(X) :- piece(X,Y), touches(Y,Z), blue(Y), upright(Z), old(Z).
good(X) :- piece(X,Y), red(Y), upright(Y), old(Y).
% program.json: restarts 9, fitting 1, different 1, trials 684102, iterations 0, bits 119.157, final_loss 0, accuracy 100, false_positives 0, false_negatives 0
