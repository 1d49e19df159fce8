-- A __tostring that calls tostring.
local t = {} if setmetatable then setmetatable(t, { __tostring = function(s) return tostring(s) end }) end
pcall(tostring, t) while true do pcall(tostring, t) end
