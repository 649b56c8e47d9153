% program.pl
:- dynamic blue/1, large/1, old/1, piece/2, red/1, round/1, touches/2, upright/1.
good(X) :- piece(X,Y), red(Y), upright(Y), old(Y).
good(X) :- piece(X,Y), large(Y), round(Y), touches(Y,Z), blue(Z).
good(X) :- piece(X,Y), upright(Y), old(Y), touches(Z,Y), blue(Z).
% program.json: restarts 8, fitting 1, different 1, trials 640000, iterations 0, bits 120.886, final_loss 0, accuracy 100, false_positives 0, false_negatives 0
