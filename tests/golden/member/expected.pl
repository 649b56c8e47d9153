% folder.pl
:- table member/2.
:- dynamic cons/2, value/2.
member(X,Y) :- cons(Y,Z), member(X,Z).
member(X,Y) :- value(Y,X).
% gradient.pl
:- table member/2.
:- dynamic cons/2, value/2.
member(X,Y) :- cons(Y,Z), member(X,Z).
member(X,Y) :- value(Y,X).
% task.pl
:- table member/2.
:- dynamic cons/2, value/2.
member(X,Y) :- cons(Y,Z), member(X,Z).
member(X,Y) :- value(Y,X).
% folder.json: restarts 21, fitting 20, different 3, trials 373743, iterations 0, bits 33.7744, final_loss 0, accuracy 100, false_positives 0, false_negatives 0
% gradient.json: restarts 1, fitting 1, different 1, trials 0, iterations 1500, bits 49.9994, final_loss 0.0371056, accuracy 100, false_positives 0, false_negatives 0
% task.json: restarts 20, fitting 20, different 1, trials 122524, iterations 0, bits 49.9994, final_loss 0, accuracy 100, false_positives 0, false_negatives 0
