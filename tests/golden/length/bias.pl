head_pred(length,2).
body_pred(zero,1).
body_pred(succ,2).
body_pred(cons,2).
