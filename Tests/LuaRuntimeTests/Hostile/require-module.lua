-- A module of the file system.
return require('os').execute('true')
