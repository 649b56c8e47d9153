% folder.pl
:- table undirected_edge/2.
:- dynamic edge/2.
undirected_edge(X,Y) :- undirected_edge(Y,X).
undirected_edge(X,Y) :- edge(X,Y).
% gradient.pl
:- dynamic edge/2.
undirected_edge(X,Y) :- edge(Y,X).
undirected_edge(X,Y) :- edge(X,Y).
% task.pl
:- table undirected_edge/2.
:- dynamic edge/2.
undirected_edge(X,Y) :- undirected_edge(Y,X).
undirected_edge(X,Y) :- edge(X,Y).
% folder.json: restarts 21, fitting 20, different 2, trials 101776, iterations 0, bits 22.2668, final_loss 0, accuracy 100, false_positives 0, false_negatives 0
% gradient.json: restarts 1, fitting 1, different 1, trials 0, iterations 1500, bits 38.2953, final_loss 0.0142691, accuracy 100, false_positives 0, false_negatives 0
% task.json: restarts 20, fitting 20, different 1, trials 101648, iterations 0, bits 38.2953, final_loss 0, accuracy 100, false_positives 0, false_negatives 0
