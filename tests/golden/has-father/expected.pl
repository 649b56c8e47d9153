% folder.pl
:- dynamic father/2.
has_father(X) :- father(_,X).
% gradient.pl
:- dynamic daughter/2, mother/2, son/2.
has_father(X) :- son(X,Y), mother(Y,X).
has_father(X) :- daughter(X,_).
% task.pl
:- dynamic father/2.
has_father(X) :- father(_,X).
% folder.json: restarts 21, fitting 20, different 3, trials 100375, iterations 0, bits 15.2586, final_loss 0, accuracy 100, false_positives 0, false_negatives 0
% gradient.json: restarts 1, fitting 1, different 1, trials 0, iterations 1500, bits 46.2359, final_loss 0.0096635, accuracy 100, false_positives 0, false_negatives 0
% task.json: restarts 20, fitting 20, different 3, trials 100423, iterations 0, bits 31.2701, final_loss 0, accuracy 100, false_positives 0, false_negatives 0
