-- Many paddings in one format.
while true do string.pack(('c1000000'):rep(5), '', '', '', '', '') end
