father(carl, bob).    mother(dora, bob).
father(carl, eva).    mother(dora, eva).
father(bob, ann).     mother(gina, ann).
father(bob, max).     mother(gina, max).
father(emil, gina).   mother(fay, gina).
father(leo, tom).     mother(eva, tom).
