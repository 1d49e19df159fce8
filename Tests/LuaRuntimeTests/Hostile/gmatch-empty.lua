-- Empty matches without end.
while true do for m in (''):gmatch('') do end end
