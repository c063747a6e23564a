-- Takes absent couriers of one region out of its geo set. Their last positions stay. It goes through them in pages, from
-- those seen last to those seen first: then nobody is left out if somebody is heard again between two pages.
-- KEYS[1] geo, KEYS[2] last seen
-- ARGV[1] epoch ms of Redis; couriers last seen before it are absent, ARGV[2] how many at most
-- ARGV[3] how many of the absent are left, as the call before returned it; not given in the first call
-- Returns how many are left after this call.
local left = redis.call('ZCOUNT', KEYS[2], '-inf', '(' .. ARGV[1])
if ARGV[3] then left = math.min(left, tonumber(ARGV[3])) end
if left == 0 then return 0 end
local from = math.max(0, left - tonumber(ARGV[2]))
redis.call('ZREM', KEYS[1], unpack(redis.call('ZRANGE', KEYS[2], from, left - 1)))
return from
