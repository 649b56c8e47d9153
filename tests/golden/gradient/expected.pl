% default.pl
:- dynamic brother/2, father/2.
son(X,Y) :- brother(X,Z), father(Y,Z).
% exact.pl
:- dynamic brother/2, father/2.
son(X,Y) :- brother(X,Z), father(Y,Z).
% fixed.pl
:- dynamic father/2, sister/2.
son(X,Y) :- father(Y,X), father(Y,Z), sister(Z,X).
% l1.pl
:- dynamic brother/2, father/2.
son(X,Y) :- brother(X,Z), father(Y,Z).
% l2.pl
:- dynamic brother/2, father/2.
son(X,Y) :- brother(X,Z), father(Y,Z).
% lukasiewicz.pl
:- dynamic brother/2, father/2.
son(X,Y) :- brother(X,Z), father(Y,Z).
% mask-absent.pl
:- table son/2.
:- dynamic father/2.
son(X,Y) :- son(Z,Y), son(Z,X).
son(X,Y) :- father(Y,X).
% max.pl
:- dynamic brother/2, father/2.
son(X,Y) :- brother(X,Z), father(Y,Z).
% product.pl
:- dynamic brother/2, father/2.
son(X,Y) :- brother(X,Z), father(Y,Z).
% rules.pl
:- dynamic brother/2, father/2, sister/2.
son(X,Y) :- brother(X,Z), sister(Z,X), father(Y,X).
% scalar-product.pl
:- dynamic father/2.
son(X,Y) :- father(Y,X).
% schedule.pl
:- dynamic brother/2, father/2.
son(X,Y) :- brother(X,_), father(Y,X).
% sum.pl
:- dynamic brother/2, father/2.
son(X,Y) :- brother(X,Z), father(Y,Z).
% uniform.pl
:- dynamic father/2.
son(X,Y) :- father(Y,X).
% default.json: restarts 1, fitting 1, different 1, trials 0, iterations 400, bits 26.1536, final_loss 0.171488, accuracy 100, false_positives 0, false_negatives 0
% exact.json: restarts 1, fitting 1, different 1, trials 0, iterations 400, bits 26.1536, final_loss 0.178526, accuracy 100, false_positives 0, false_negatives 0
% fixed.json: restarts 1, fitting 1, different 1, trials 0, iterations 400, bits 32.3236, final_loss 0.282214, accuracy 100, false_positives 0, false_negatives 0
% l1.json: restarts 1, fitting 1, different 1, trials 0, iterations 400, bits 26.1536, final_loss 0.0779279, accuracy 100, false_positives 0, false_negatives 0
% l2.json: restarts 1, fitting 1, different 1, trials 0, iterations 400, bits 26.1536, final_loss 0.181903, accuracy 100, false_positives 0, false_negatives 0
% lukasiewicz.json: restarts 1, fitting 1, different 1, trials 0, iterations 400, bits 26.1536, final_loss 0.270996, accuracy 100, false_positives 0, false_negatives 0
% mask-absent.json: restarts 1, fitting 0, different 0, trials 0, iterations 400, bits 38.7094, final_loss 1.71173, accuracy 98, false_positives 2, false_negatives 0
% max.json: restarts 1, fitting 1, different 1, trials 0, iterations 400, bits 26.1536, final_loss 0.211889, accuracy 100, false_positives 0, false_negatives 0
% product.json: restarts 1, fitting 1, different 1, trials 0, iterations 400, bits 26.1536, final_loss 0.168866, accuracy 100, false_positives 0, false_negatives 0
% rules.json: restarts 1, fitting 1, different 1, trials 0, iterations 400, bits 32.3236, final_loss 0.0356027, accuracy 100, false_positives 0, false_negatives 0
% scalar-product.json: restarts 1, fitting 0, different 0, trials 0, iterations 400, bits 19.2143, final_loss 1.44479, accuracy 99, false_positives 1, false_negatives 0
% schedule.json: restarts 1, fitting 1, different 1, trials 0, iterations 400, bits 26.1536, final_loss 0.0534776, accuracy 100, false_positives 0, false_negatives 0
% sum.json: restarts 1, fitting 1, different 1, trials 0, iterations 400, bits 26.1536, final_loss 1.03949, accuracy 100, false_positives 0, false_negatives 0
% uniform.json: restarts 1, fitting 0, different 0, trials 0, iterations 400, bits 19.2143, final_loss 1.88756, accuracy 99, false_positives 1, false_negatives 0
