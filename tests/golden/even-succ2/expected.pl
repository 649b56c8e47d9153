% folder.pl
:- table even/1.
:- dynamic succ/2, zero/1.
even(X) :- even(Y), succ(Y,Z), succ(Z,X).
even(X) :- zero(X).
% gradient.pl
:- table aux1/2.
:- dynamic succ/2, zero/1.
even(X) :- aux1(X,Y), aux1(Y,Z), aux1(Z,Y).
aux1(X,Y) :- aux2(X,Z), aux1(Z,Y).
aux1(X,Y) :- aux2(X,Y).
aux2(X,Y) :- succ(Z,X), succ(Y,Z).
aux2(X,_) :- zero(X).
% task.pl
:- table even/1.
:- dynamic succ/2, zero/1.
even(X) :- even(Y), succ(Y,Z), succ(Z,X).
even(X) :- zero(X).
% folder.json: restarts 21, fitting 20, different 1, trials 193743, iterations 0, bits 32.4119, final_loss 0, accuracy 100, false_positives 0, false_negatives 0
% gradient.json: restarts 3, fitting 1, different 1, trials 0, iterations 9000, bits 89.0136, final_loss 0.040269, accuracy 100, false_positives 0, false_negatives 0
% task.json: restarts 20, fitting 20, different 1, trials 193101, iterations 0, bits 32.4119, final_loss 0, accuracy 100, false_positives 0, false_negatives 0
