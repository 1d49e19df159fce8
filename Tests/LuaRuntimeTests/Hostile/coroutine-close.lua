-- Closing coroutines, which overflows the C stack of this Lua.
coroutine.close(coroutine.create(error))
