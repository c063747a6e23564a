-- Gives a lease back if the caller still owns it.
-- KEYS[1] the lease
-- ARGV[1] the calling process
if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end
return 0
