head_pred(son,2).
body_pred(father,2).
body_pred(brother,2).
body_pred(sister,2).
