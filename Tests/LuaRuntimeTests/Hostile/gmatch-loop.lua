-- Matches that never come, searched again and again.
local s = ('a'):rep(50000) while true do for m in s:gmatch('.-b') do end end
