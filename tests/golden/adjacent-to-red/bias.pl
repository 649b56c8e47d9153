head_pred(adjacent_to_red,1).
body_pred(red,1).
body_pred(edge,2).
body_pred(colour,2).
