edge(0,2).
edge(1,2).
edge(2,0).
edge(3,2).
