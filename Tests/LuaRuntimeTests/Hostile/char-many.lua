-- A string from very many codes.
local t = {} for i = 1, 200000 do t[i] = 65 end while true do string.char(table.unpack(t)) end
