head_pred(even,1).
body_pred(zero,1).
body_pred(succ,2).
