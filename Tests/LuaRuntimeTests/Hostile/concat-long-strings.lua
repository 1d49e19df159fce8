-- One instruction that copies a megabyte.
local a = ('x'):rep(1000000) while true do local c = a .. 'y' end
