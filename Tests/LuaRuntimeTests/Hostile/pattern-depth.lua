-- A pattern that nests deeper than C may.
return ('a'):rep(1000):find(('(a)?'):rep(500)), ('x'):rep(300000):match(('.-'):rep(250) .. 'y')
