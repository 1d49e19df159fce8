-- Quoting a long string again and again.
local s = ('\0'):rep(500000) while true do local t = ('%q'):format(s) end
