head_pred(adjacent_to_red,1).
body_pred(edge,2).
body_pred(red,1).
body_pred(green,1).
body_pred(blue,1).
body_pred(yellow,1).
