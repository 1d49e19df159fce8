-- A quadratic search without patterns.
local hay, needle = ('a'):rep(400000), ('a'):rep(200000) .. 'b' while true do hay:find(needle, 1, true) end
