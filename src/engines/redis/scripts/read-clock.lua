-- Reads the clock of the server that has the key. A cluster would answer a plain TIME with the clock of any of its nodes.
-- KEYS[1] a name that is the same in all processes
-- Returns the seconds since 1970, and the microseconds of the current one.
return redis.call('TIME')
