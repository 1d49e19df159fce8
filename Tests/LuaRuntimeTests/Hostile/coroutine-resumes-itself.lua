-- A coroutine that resumes itself.
local co co = coroutine.create(function() return coroutine.resume(co) end)
while true do coroutine.resume(co) end
