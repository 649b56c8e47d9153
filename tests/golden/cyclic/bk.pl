edge(0,4).
edge(1,2).
edge(2,0).
edge(3,5).
edge(4,0).
