-- A __tostring that calls tostring.
local has, set = pcall(function() return setmetatable end) set = has and set or nil
local t = {} if set then set(t, { __tostring = function(s) return tostring(s) end }) end
pcall(tostring, t) while true do pcall(tostring, t) end
