-- A long string reversed again and again.
local s = ('x'):rep(1000000) while true do s:reverse() end
