two_children(X) :- edge(X,Y), edge(X,Z), neq(Y,Z).
