-- Replacement functions that call gsub again.
local function f(s) return (s .. s):gsub('.', f) end return f('ab')
