-- The hook taken away.
debug.sethook()
