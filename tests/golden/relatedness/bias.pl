head_pred(related,2).
body_pred(parent,2).
