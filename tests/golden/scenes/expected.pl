% long/programs/trailer.pl
:- dynamic behind/2, car/1.
trailer(X) :- behind(X,Y), car(Y).
% long/programs/wrist.pl
:- dynamic on/2, watch/1.
wrist(X) :- watch(Y), on(Y,X).
% long/rules/trailer.pl
:- dynamic behind/2, car/1.
trailer(X) :- behind(X,Y), car(Y).
% long/rules/wrist.pl
:- dynamic on/2, watch/1.
wrist(X) :- watch(Y), on(Y,X).
% long/trained/trailer.pl
:- dynamic behind/2, car/1.
trailer(X) :- behind(X,Y), car(Y).
% long/trained/wrist.pl
:- dynamic on/2, watch/1.
wrist(X) :- watch(Y), on(Y,X).
% planted-run/programs/vase.pl
:- dynamic flowers/1, with/2.
vase(X) :- with(X,Y), flowers(Y).
% planted-run/programs/wrist.pl
:- dynamic on/2, watch/1.
wrist(X) :- on(Y,X), watch(Y).
% planted-run/rules/vase.pl
:- dynamic flowers/1, with/2.
vase(X) :- with(X,Y), flowers(Y).
% planted-run/rules/wrist.pl
:- dynamic on/2, watch/1.
wrist(X) :- on(Y,X), watch(Y).
% planted-run/trained/vase.pl
:- dynamic with/2.
vase(X) :- with(X,_).
% planted-run/trained/wrist.pl
:- dynamic on/2.
wrist(X) :- on(_,X).
% sequential/programs/trailer.pl
:- dynamic behind/2, car/1.
trailer(X) :- behind(X,Y), car(Y).
% sequential/programs/wrist.pl
:- dynamic on/2, watch/1.
wrist(X) :- watch(Y), on(Y,X).
% sequential/rules/trailer.pl
:- dynamic behind/2, car/1.
trailer(X) :- behind(X,Y), car(Y).
% sequential/rules/wrist.pl
:- dynamic on/2, watch/1.
wrist(X) :- watch(Y), on(Y,X).
% short/programs/trailer.pl
:- dynamic behind/2, car/1.
trailer(X) :- behind(X,Y), car(Y).
% short/programs/wrist.pl
:- dynamic on/2, watch/1.
wrist(X) :- on(Y,X), watch(Y).
% short/rules/trailer.pl
:- dynamic behind/2, car/1.
trailer(X) :- behind(X,Y), car(Y).
% short/rules/wrist.pl
:- dynamic on/2, watch/1.
wrist(X) :- on(Y,X), watch(Y).
% short/trained/trailer.pl
:- dynamic behind/2, car/1.
trailer(_) :- car(_).
trailer(X) :- behind(X,_).
% short/trained/wrist.pl
:- dynamic near/2, on/2, watch/1.
wrist(X) :- watch(X).
wrist(X) :- near(X,Y), on(Y,X).
wrist(X) :- on(X,_).
% long/report.json: rounds 200
% long/report.json, target 1: bits 28.3294, loss 0.354655
% long/report.json, target 2: bits 34.3623, loss 0.542025
% planted-run/report.json: rounds 60
% planted-run/report.json, target 1: bits 44.2863, loss 1.48272
% planted-run/report.json, target 2: bits 73.1102, loss 2.25083
% sequential/report.json: rounds 120
% sequential/report.json, target 1: loss 0.571867
% sequential/report.json, target 2: loss 0.717234
% short/report.json: rounds 3
% short/report.json, target 1: bits 28.3294, loss 4.65781
% short/report.json, target 2: bits 34.3623, loss 3.34341
