-- A chain of __call values.
local has, set = pcall(function() return setmetatable end) set = has and set or nil
local f = function() end for i = 1, 5000 do f = set and set({}, { __call = f }) or f end
while true do pcall(f) end
