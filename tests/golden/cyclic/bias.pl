head_pred(cyclic,1).
body_pred(edge,2).
