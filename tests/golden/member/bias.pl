head_pred(member,2).
body_pred(cons,2).
body_pred(value,2).
