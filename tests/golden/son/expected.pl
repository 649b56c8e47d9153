% folder.pl
:- dynamic brother/2, father/2.
son(X,Y) :- brother(X,_), father(Y,X).
% gradient.pl
:- dynamic brother/2, father/2.
son(X,Y) :- father(Y,X), father(X,_).
son(X,Y) :- father(Y,X), brother(X,_).
% task.pl
:- dynamic brother/2, father/2.
son(X,Y) :- brother(X,_), father(Y,X).
son(X,Y) :- father(X,_), father(Y,X).
% folder.json: restarts 21, fitting 20, different 2, trials 129118, iterations 0, bits 26.8136, final_loss 0, accuracy 100, false_positives 0, false_negatives 0
% gradient.json: restarts 1, fitting 1, different 1, trials 0, iterations 1500, bits 60.767, final_loss 0.0529351, accuracy 100, false_positives 0, false_negatives 0
% task.json: restarts 20, fitting 20, different 1, trials 350639, iterations 0, bits 60.767, final_loss 0, accuracy 100, false_positives 0, false_negatives 0
