-- A pattern that backtracks exponentially.
return ('a'):rep(28):find(('a?'):rep(28) .. ('a'):rep(28) .. 'b')
