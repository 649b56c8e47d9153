% folder.pl
:- table fizz/1.
:- dynamic succ/2, zero/1.
fizz(X) :- succ(Y,X), succ(Z,Y), succ(U,Z), fizz(U).
fizz(X) :- zero(X).
% gradient.pl
:- dynamic zero/1.
fizz(_) :- zero(_).
% task.pl
:- table fizz/1.
:- dynamic succ/2, zero/1.
fizz(X) :- fizz(Y), succ(Y,Z), succ(Z,U), succ(U,X).
fizz(X) :- zero(X).
% folder.json: restarts 13, fitting 6, different 4, trials 534506, iterations 0, bits 40.4167, final_loss 0, accuracy 100, false_positives 0, false_negatives 0
% gradient.json: restarts 2, fitting 0, different 0, trials 0, iterations 3000, bits 15.2992, final_loss 3.94017, accuracy 40, false_positives 4, false_negatives 0
% task.json: restarts 18, fitting 11, different 5, trials 835143, iterations 0, bits 40.4167, final_loss 0, accuracy 100, false_positives 0, false_negatives 0
