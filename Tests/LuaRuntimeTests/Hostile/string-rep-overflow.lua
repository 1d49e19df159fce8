-- Lengths that overflow when multiplied.
return ('xx'):rep(math.maxinteger, 'yy')
