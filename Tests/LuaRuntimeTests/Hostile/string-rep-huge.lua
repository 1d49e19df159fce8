-- One string of a terabyte.
return ('x'):rep(1e12)
