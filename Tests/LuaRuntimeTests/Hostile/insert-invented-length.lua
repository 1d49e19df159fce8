-- An insertion into an invented length.
local p = setmetatable and setmetatable({}, { __len = function() return 2^60 // 1 | 0 end, __index = type, __newindex = type }) or {}
table.insert(p, 1, 'x') while true do end
