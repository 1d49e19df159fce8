-- A document nested ten thousand deep.
return json.decode(('['):rep(100000))
