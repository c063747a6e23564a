-- Takes a lease or renews it.
-- KEYS[1] the lease, KEYS[2] its last fencing number
-- ARGV[1] the calling process, ARGV[2] how long in ms
-- Returns the fencing number, or false if another process owns the lease.
local owner = redis.call('GET', KEYS[1])
if owner and owner ~= ARGV[1] then return false end
local fence = tonumber(redis.call('GET', KEYS[2]) or '0')
if not owner or fence == 0 then
  -- Counted from the server's clock, so that numbers keep rising after Redis has lost its data. In microseconds:
  -- two owners within one millisecond must not get the same number. A double holds them exactly until the year 2255.
  local time = redis.call('TIME')
  fence = math.max(fence + 1, time[1] * 1000000 + time[2])
end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
-- A day is far longer than two clocks differ; an unused name then leaves nothing behind.
redis.call('SET', KEYS[2], string.format('%.0f', fence), 'PX', 86400000)
return fence
