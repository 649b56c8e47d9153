head_pred(fizz,1).
body_pred(zero,1).
body_pred(succ,2).
