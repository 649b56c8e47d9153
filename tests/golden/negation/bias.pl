head_pred(leaf,1).
body_pred(edge,2).
