adjacent_to_same(X,Y) :- edge(X,Y), same_colour(X,Y).
same_colour(X,Y) :- colour(X,C), colour(Y,C).
