-- All bytes of a long string at once.
local s = ('x'):rep(900000) while true do select('#', s:byte(1, -1)) end
