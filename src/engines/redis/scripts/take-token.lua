-- Takes one token from a bucket. A bucket is stored as the time at which it is full again, in microseconds.
-- KEYS[1] the bucket
-- ARGV[1] microseconds in which one token comes back, ARGV[2] most tokens
-- Returns 1 if a token was taken, else 0; the tokens that are left; and the microseconds until the next one.
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local each, most = tonumber(ARGV[1]), tonumber(ARGV[2])
local full = math.max(now, tonumber(redis.call('GET', KEYS[1]) or 0)) + each
local over = full - now - each * most
-- The sum of rounded numbers may be a little off.
if over > 0.001 then return {0, 0, math.ceil(over)} end
redis.call('SET', KEYS[1], string.format('%.0f', full), 'PX', math.ceil((full - now) / 1000))
return {1, math.max(0, math.floor(-over / each)), math.ceil(each + over % each)}
