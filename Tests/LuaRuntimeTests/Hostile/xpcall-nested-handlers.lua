-- Handlers inside handlers.
local function h() xpcall(function() while true do end end, h) while true do end end
xpcall(function() while true do end end, h)
