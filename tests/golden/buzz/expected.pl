% folder.pl
:- table buzz/1.
:- dynamic pred1/2, pred2/2, zero/1.
buzz(X) :- buzz(Y), pred2(Y,Z), pred1(Z,X).
buzz(X) :- zero(X).
% gradient.pl
:- dynamic pred1/2, pred2/2, zero/1.
buzz(X) :- zero(_), aux1(Y,Z), aux2(Z,Y), aux2(Y,X).
aux1(X,_) :- zero(X).
aux1(_,X) :- zero(X).
aux2(X,Y) :- pred2(X,Z), pred1(Z,Y).
aux2(_,X) :- zero(X).
% task.pl
:- table buzz/1.
:- dynamic pred1/2, pred2/2, zero/1.
buzz(X) :- buzz(Y), pred2(Y,Z), pred1(Z,X).
buzz(X) :- zero(X).
% folder.json: restarts 21, fitting 20, different 9, trials 397445, iterations 0, bits 36.6113, final_loss 0, accuracy 100, false_positives 0, false_negatives 0
% gradient.json: restarts 2, fitting 1, different 1, trials 0, iterations 3000, bits 92.9827, final_loss 0.226847, accuracy 93.75, false_positives 0, false_negatives 0
% task.json: restarts 20, fitting 20, different 9, trials 321421, iterations 0, bits 36.6113, final_loss 0, accuracy 100, false_positives 0, false_negatives 0
