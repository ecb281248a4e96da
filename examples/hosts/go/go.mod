module clip-host

go 1.19
