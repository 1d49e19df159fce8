-- The message handler raises errors itself.
local function h(m) error(m) end
while true do xpcall(error, h, 'x') end
