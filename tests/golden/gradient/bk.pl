father(4,2).
father(4,6).
brother(6,2).
sister(2,6).
