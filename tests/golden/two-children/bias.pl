head_pred(two_children,1).
body_pred(neq,2).
body_pred(edge,2).
