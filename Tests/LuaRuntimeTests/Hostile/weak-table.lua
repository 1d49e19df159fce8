-- Weak tables, which this Lua frees too early when memory is short.
local t = setmetatable({}, { __mode = 'k' }) while true do t[{}] = {} end
