cons(1,4).
cons(2,0).
cons(3,2).
cons(4,3).
value(1,4).
value(2,1).
value(3,3).
value(4,3).
