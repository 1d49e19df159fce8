-- A removal from an invented length.
local has, set = pcall(function() return setmetatable end) set = has and set or nil
local p = set and set({}, { __len = function() return 2^60 // 1 | 0 end, __index = type, __newindex = type }) or {}
table.remove(p, 1) while true do end
