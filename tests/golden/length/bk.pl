zero(0).
succ(0,1).
succ(1,2).
succ(2,3).
cons(1,3).
cons(2,0).
cons(3,2).
