head_pred(grandparent,2).
head_pred(ancestor,2).
head_pred(father,2).
head_pred(mother,1).
body_pred(parent,2).
body_pred(male,1).
body_pred(female,1).
