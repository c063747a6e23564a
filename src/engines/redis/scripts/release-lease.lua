-- Gives a lease back, if it is still one's own.
-- KEYS[1] the lease
-- ARGV[1] who asks
if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end
return 0
