-- The collector stopped.
collectgarbage('stop')
