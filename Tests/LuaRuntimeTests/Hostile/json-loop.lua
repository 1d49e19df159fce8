-- Long documents read again and again.
local s = '[' .. ('1,'):rep(100000) .. '1]' while true do json.decode(s) end
