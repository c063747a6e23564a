-- Removes couriers who were not heard of for long from the keys of one region.
-- KEYS[1] geo, KEYS[2] positions, KEYS[3] last seen
-- ARGV[1] epoch ms of Redis; couriers last seen before it are removed, ARGV[2] how many at most
-- Returns their ids.
local ids = redis.call('ZRANGEBYSCORE', KEYS[3], '-inf', '(' .. ARGV[1], 'LIMIT', 0, ARGV[2])
if #ids == 0 then return ids end
redis.call('ZREM', KEYS[1], unpack(ids))
redis.call('HDEL', KEYS[2], unpack(ids))
redis.call('ZREM', KEYS[3], unpack(ids))
return ids
