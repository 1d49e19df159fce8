-- An error of a megabyte.
error(('x'):rep(1000000))
