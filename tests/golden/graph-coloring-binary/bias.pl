head_pred(adjacent_to_same,2).
body_pred(edge,2).
body_pred(colour,2).
