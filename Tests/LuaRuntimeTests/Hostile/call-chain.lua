-- A chain of __call values.
local f = function() end for i = 1, 5000 do f = setmetatable and setmetatable({}, { __call = f }) or f end
while true do pcall(f) end
