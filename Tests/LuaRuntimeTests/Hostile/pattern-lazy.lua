-- A pattern that backtracks polynomially.
return ('a'):rep(30000):find('.-.-.-.-b')
