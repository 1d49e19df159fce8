-- A loop of goto.
::again:: goto again
