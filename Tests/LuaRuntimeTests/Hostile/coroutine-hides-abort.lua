-- A coroutine is meant to keep the abort for itself.
while true do local co = coroutine.create(function() while true do end end) coroutine.resume(co) end
