-- Documents that double.
local v = {} while true do v = { v, v } json.encode(v) end
