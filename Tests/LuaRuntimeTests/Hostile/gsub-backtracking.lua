-- Replacements with backtracking.
return ('a'):rep(100000):gsub('.-b', '')
