adjacent_to_red(X) :- edge(X,Y), colour(Y,C), red(C).
