-- Looks for a session among those that have ended while their access tokens may still run.
-- KEYS[1] the session's entry, KEYS[2] since when the list is complete
-- ARGV[1] life of an access token in ms
-- Returns 1 if it has ended, 0 if it has not, and -1 if the list may lack it.
if redis.call('EXISTS', KEYS[1]) == 1 then return 1 end
-- Redis gives itself another id whenever it may have lost writes: when it starts, and when a replica is promoted.
local history = string.match(redis.call('INFO', 'replication'), 'master_replid:(%w+)')
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local list = redis.call('HMGET', KEYS[2], 'history', 'since')
if list[1] ~= history then
  redis.call('HSET', KEYS[2], 'history', history, 'since', string.format('%.0f', now))
  return -1
end
if now - list[2] < tonumber(ARGV[1]) then return -1 end
return 0
