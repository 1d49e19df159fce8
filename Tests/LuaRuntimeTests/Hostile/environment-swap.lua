-- Another _ENV, in the hope of finding the real globals.
local env = _ENV do local _ENV = { g = env } x = 1 end
local real = _G or {} for k, v in pairs(real) do if k == 'io' or k == 'os' or k == 'load' then return k end end
error 'nothing found'
