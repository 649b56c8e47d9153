:- dynamic e/2.
% target: 'P q'/1
'P q'(X) :- e(X,_), \+ fail.
r :- true.
p(X,Y) :- e(X,X), q(-1,Y), false.
