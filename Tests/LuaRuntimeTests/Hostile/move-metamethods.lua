-- A move through metamethods in C.
local has, set = pcall(function() return setmetatable end) set = has and set or nil
local p = set and set({}, { __index = math.abs, __newindex = type }) or {}
return table.move(p, 1, 2^60 // 1 | 0, 2)
