% folder.pl
:- dynamic edge/2.
cyclic(X) :- edge(X,Y), edge(Y,X).
% gradient.pl
:- table aux1/2.
:- dynamic edge/2.
cyclic(X) :- aux1(X,Y), aux1(Y,X).
aux1(X,Y) :- aux1(X,Z), aux1(Z,Y).
aux1(X,Y) :- edge(X,Y).
% task.pl
:- table aux1/2.
:- dynamic edge/2.
cyclic(X) :- aux1(X,Y), aux1(Y,X).
aux1(X,Y) :- aux1(X,Z), aux1(Z,Y).
aux1(X,Y) :- edge(X,Y).
% folder.json: restarts 21, fitting 20, different 1, trials 102639, iterations 0, bits 14.9069, final_loss 0, accuracy 100, false_positives 0, false_negatives 0
% gradient.json: restarts 1, fitting 1, different 1, trials 0, iterations 1500, bits 58.7904, final_loss 0.00861033, accuracy 100, false_positives 0, false_negatives 0
% task.json: restarts 21, fitting 20, different 1, trials 117849, iterations 0, bits 58.7904, final_loss 0, accuracy 100, false_positives 0, false_negatives 0
