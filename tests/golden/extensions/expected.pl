% from-start.pl
:- table reached/1.
:- dynamic edge/2.
reached(X) :- edge(Y,X), reached(Y).
reached(X) :- edge(start,X).
% gradient.pl
:- table aux1/2.
:- dynamic constant/1, edge/2.
unreachable(X,Y) :- constant(X), constant(Y), \+ edge(X,Y), \+ aux1(Y,X).
unreachable(X,Y) :- constant(X), constant(Y), \+ aux2(X).
aux1(X,Y) :- aux1(X,Z), aux1(Z,Y).
aux1(X,Y) :- edge(Y,X).
aux2(X) :- constant(X), constant(Y), \+ edge(X,Y), \+ edge(Y,X).
aux2(X) :- edge(X,_).
% has-cycle.pl
:- table aux1/2.
:- dynamic edge/2.
has_cycle :- aux1(X,Y), aux1(Y,X).
aux1(X,Y) :- aux1(X,Z), aux1(Z,Y).
aux1(X,Y) :- edge(X,Y).
% only-child.pl
:- dynamic constant/1, parent/2.
only_child(X) :- parent(Y,X), \+ aux1(X,Y).
aux1(X,Y) :- parent(Y,Z), constant(X), X \= Z.
% sibling.pl
:- dynamic parent/2.
sibling(X,Y) :- parent(Z,X), parent(Z,Y), Y \= X.
% unreachable.pl
:- table aux1/2.
:- dynamic constant/1, edge/2.
unreachable(X,Y) :- constant(X), constant(Y), \+ aux1(X,Y).
aux1(X,Y) :- aux1(X,Z), aux1(Z,Y).
aux1(X,Y) :- edge(X,Y).
% from-start.json: restarts 20, fitting 20, different 1, trials 119534, iterations 0, bits 36.6304, final_loss 0, accuracy 100, false_positives 0, false_negatives 0
% gradient.json: restarts 1, fitting 1, different 1, trials 0, iterations 600, bits 109.082, final_loss 0.339589, accuracy 100, false_positives 0, false_negatives 0
% has-cycle.json: restarts 20, fitting 20, different 1, trials 128611, iterations 0, bits 52.6456, final_loss 0, accuracy 100, false_positives 0, false_negatives 0
% only-child.json: restarts 20, fitting 20, different 2, trials 249687, iterations 0, bits 53.837, final_loss 0, accuracy 100, false_positives 0, false_negatives 0
% sibling.json: restarts 20, fitting 20, different 4, trials 180030, iterations 0, bits 47.94, final_loss 0, accuracy 100, false_positives 0, false_negatives 0
% unreachable.json: restarts 20, fitting 20, different 1, trials 150679, iterations 0, bits 64.1764, final_loss 0, accuracy 100, false_positives 0, false_negatives 0
