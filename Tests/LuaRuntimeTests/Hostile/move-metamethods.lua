-- A move through metamethods in C.
local p = setmetatable and setmetatable({}, { __index = math.abs, __newindex = type }) or {}
return table.move(p, 1, 2^60 // 1 | 0, 2)
