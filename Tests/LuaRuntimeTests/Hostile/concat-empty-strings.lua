-- A join of nothing over a huge proxy.
local has, set = pcall(function() return setmetatable end) set = has and set or nil
local p = set and set({}, { __index = function() return '' end }) or {}
return table.concat(p, '', 1, 2^60 // 1 | 0)
