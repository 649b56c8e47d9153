head_pred(connected,2).
body_pred(edge,2).
