-- Errors raised inside error handlers of coroutines inside pcall.
while true do pcall(coroutine.wrap(function() xpcall(error, function() error('again') end, 'x') error({}) end)) end
