-- Gives couriers of one set who were last seen in the future the present time: the clock of Redis has stepped back.
-- KEYS[1] last seen
-- ARGV[1] epoch ms of Redis, now; ARGV[2] epoch ms of Redis, later times are in the future; ARGV[3] how many at most
-- Returns how many there were.
local ids = redis.call('ZRANGEBYSCORE', KEYS[1], '(' .. ARGV[2], '+inf', 'LIMIT', 0, ARGV[3])
for _, id in ipairs(ids) do redis.call('ZADD', KEYS[1], ARGV[1], id) end
return #ids
