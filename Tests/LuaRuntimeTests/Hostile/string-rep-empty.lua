-- Nothing, repeated for ever.
local s = (''):rep(math.maxinteger) return ('x'):rep(math.maxinteger, '')
