member(V,X) :- value(X,V).
member(V,X) :- cons(X,Y), member(V,Y).
