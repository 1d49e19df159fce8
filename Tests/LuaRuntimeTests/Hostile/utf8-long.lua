-- Long texts measured again and again.
local s = ('é'):rep(400000) while true do utf8.len(s) utf8.offset(s, -1) end
