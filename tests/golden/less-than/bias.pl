head_pred(less_than,2).
body_pred(zero,1).
body_pred(succ,2).
