head_pred(buzz,1).
body_pred(zero,1).
body_pred(succ,2).
body_pred(pred1,2).
body_pred(pred2,2).
