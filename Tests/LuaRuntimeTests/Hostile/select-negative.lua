-- Arguments chosen from the end.
while true do pcall(select, -1) pcall(select, math.mininteger, 1) end
