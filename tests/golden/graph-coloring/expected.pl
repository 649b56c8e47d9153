adjacent_to_same(X) :- edge(X,Y), same_colour(X,Y).
same_colour(X,Y) :- colour(X,C), colour(Y,C).
