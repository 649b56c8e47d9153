% program.pl
:- dynamic constant/1, edge/2.
leaf(X) :- constant(X), \+ aux1(X).
aux1(X) :- edge(X,_).
:- assertz((constant(X) :- edge(X,_))).
:- assertz((constant(X) :- edge(_,X))).
% program.json: restarts 21, fitting 20, different 1, trials 158520, iterations 0, bits 21.6618, final_loss 0, accuracy 100, false_positives 0, false_negatives 0
