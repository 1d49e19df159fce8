-- An error that contains itself.
local t = {} t.t = t t.message = t error(t)
