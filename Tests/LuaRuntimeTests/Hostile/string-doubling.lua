-- A string doubled until the memory ends.
local s = 'x' while true do s = s .. s end
