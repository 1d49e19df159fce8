-- A removal from an invented length.
local p = setmetatable and setmetatable({}, { __len = function() return 2^60 // 1 | 0 end, __index = type, __newindex = type }) or {}
table.remove(p, 1) while true do end
