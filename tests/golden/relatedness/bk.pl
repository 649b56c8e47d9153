parent(0,1).
parent(0,2).
parent(0,6).
parent(2,3).
parent(4,3).
parent(7,1).
parent(7,2).
parent(7,6).
