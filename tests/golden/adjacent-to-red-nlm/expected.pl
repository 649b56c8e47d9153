adjacent_to_red(X) :- red(X).
adjacent_to_red(X) :- edge(X,Y), red(Y).
