-- Keys without end.
local t, i = {}, 0 while true do i = i + 1 t['k' .. i] = {} end
