-- Counts a try within a window that begins with the first.
-- KEYS[1] the counter
-- ARGV[1] length of the window in ms
-- Returns how many tries there were, this one among them, and the ms left of the window.
local count = redis.call('INCR', KEYS[1])
if count == 1 then redis.call('PEXPIRE', KEYS[1], ARGV[1]) end
return { count, redis.call('PTTL', KEYS[1]) }
