head_pred(undirected_edge,2).
body_pred(edge,2).
