head_pred(predecessor,2).
body_pred(zero,1).
body_pred(succ,2).
