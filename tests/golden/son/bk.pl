father(0,6).
father(0,7).
father(4,1).
father(4,3).
brother(1,3).
brother(3,1).
brother(7,6).
sister(6,7).
