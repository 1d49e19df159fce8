-- All code points of a long text at once.
local s = ('é'):rep(300000) while true do pcall(utf8.codepoint, s, 1, -1) end
