head_pred(two_steps,2).
body_pred(edge,2).
