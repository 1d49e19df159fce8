-- A log without end.
while true do log.info(('x'):rep(10000)) end
