parent(carl, bob).   parent(dora, bob).   parent(carl, eva).   parent(dora, eva).
parent(bob, ann).    parent(gina, ann).   parent(bob, max).    parent(gina, max).
parent(emil, gina).  parent(fay, gina).   parent(leo, tom).    parent(eva, tom).
parent(leo, ned).    parent(eva, ned).
man(carl).  man(bob).  man(max).  man(emil).  man(leo).  man(tom).  man(ned).
woman(dora).  woman(eva).  woman(ann).  woman(gina).  woman(fay).
sibling(bob, eva).  sibling(eva, bob).  sibling(ann, max).  sibling(max, ann).
sibling(tom, ned).  sibling(ned, tom).
