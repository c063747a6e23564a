-- Takes back a counted try that had no result. Its own wait goes with it. The wait of a later try stays, and
-- becomes the one that this later try would have set alone. Tries that were counted after all were forgotten
-- stay. `returnedTry` in try-limit.ts does the same without Redis.
-- KEYS[1] the hash of take-try.lua
-- ARGV[1] the name that take-try.lua gave the try; ARGV[2] free tries, ARGV[3] the first wait, ARGV[4] the pace, in ms
-- Returns nothing.
local free, first, pace = tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local row = redis.call('HMGET', KEYS[1], 'level', 'at', 'last', 'born')
if not row[4] or row[4] ~= string.match(ARGV[1], '^%d+') then return end
local level = math.max(0, tonumber(row[1]) - 1)
redis.call('HSET', KEYS[1], 'level', level)
if row[3] == ARGV[1] then
  redis.call('HDEL', KEYS[1], 'until', 'last')
elseif row[3] then
  local after = 0
  local over = math.ceil(level) - free
  if over >= 0 then after = math.min(pace, first * 2 ^ over) end
  redis.call('HSET', KEYS[1], 'until', string.format('%.0f', tonumber(row[2]) + after))
end
