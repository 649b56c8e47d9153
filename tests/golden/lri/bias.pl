head_pred(grandparent,2).
body_pred(father,2).
body_pred(mother,2).
