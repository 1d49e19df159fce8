-- A file of the host.
return io.open('/etc/passwd')
