father(1,5).
father(8,0).
father(8,1).
father(8,2).
mother(4,0).
mother(4,1).
mother(4,2).
mother(6,5).
