-- Takes back a try that was counted and came to nothing; the next one need not wait for it.
-- KEYS[1] the hash of take-try.lua
-- Returns nothing.
if redis.call('EXISTS', KEYS[1]) == 1 then
  redis.call('HINCRBYFLOAT', KEYS[1], 'level', -1)
  redis.call('HDEL', KEYS[1], 'until')
end
