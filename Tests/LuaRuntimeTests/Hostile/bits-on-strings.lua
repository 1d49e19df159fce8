-- Bit operations that convert a million digits.
local s = ('0'):rep(1000000) .. '1' while true do local x = s | 1 end
