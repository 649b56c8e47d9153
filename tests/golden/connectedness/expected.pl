% folder.pl
:- table connected/2.
:- dynamic edge/2.
connected(X,Y) :- connected(X,Z), connected(Z,Y).
connected(X,Y) :- edge(X,Y).
% gradient.pl
:- dynamic edge/2.
connected(X,Y) :- aux1(X,Z), aux1(Z,Y).
connected(X,Y) :- edge(X,Y).
aux1(X,Y) :- edge(X,Z), edge(Z,Y).
aux1(X,Y) :- edge(X,Y).
% task.pl
:- table connected/2.
:- dynamic edge/2.
connected(X,Y) :- connected(X,Z), connected(Z,Y).
connected(X,Y) :- edge(X,Y).
% folder.json: restarts 21, fitting 20, different 1, trials 112427, iterations 0, bits 30.9192, final_loss 0, accuracy 100, false_positives 0, false_negatives 0
% gradient.json: restarts 1, fitting 1, different 1, trials 0, iterations 1500, bits 76.4292, final_loss 0.0249361, accuracy 100, false_positives 0, false_negatives 0
% task.json: restarts 20, fitting 20, different 1, trials 107295, iterations 0, bits 47.0698, final_loss 0, accuracy 100, false_positives 0, false_negatives 0
