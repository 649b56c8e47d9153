% folder.pl
:- table less_than/2.
:- dynamic succ/2.
less_than(X,Y) :- less_than(X,Z), less_than(Z,Y).
less_than(X,Y) :- succ(X,Y).
% gradient.pl
:- table aux1/2, less_than/2.
:- dynamic succ/2.
less_than(X,Y) :- less_than(X,Z), less_than(Z,Y).
less_than(X,Y) :- aux1(X,Y).
aux1(X,Y) :- aux1(X,Z), aux1(Z,Y).
aux1(X,Y) :- succ(X,Y).
% task.pl
:- table less_than/2.
:- dynamic succ/2.
less_than(X,Y) :- less_than(X,Z), less_than(Z,Y).
less_than(X,Y) :- succ(X,Y).
% folder.json: restarts 21, fitting 20, different 2, trials 112610, iterations 0, bits 37.7655, final_loss 0, accuracy 100, false_positives 0, false_negatives 0
% gradient.json: restarts 1, fitting 1, different 1, trials 0, iterations 1500, bits 68.3505, final_loss 0.141051, accuracy 100, false_positives 0, false_negatives 0
% task.json: restarts 20, fitting 20, different 2, trials 107346, iterations 0, bits 37.7655, final_loss 0, accuracy 100, false_positives 0, false_negatives 0
