-- Random numbers without end.
while true do math.random(0) end
