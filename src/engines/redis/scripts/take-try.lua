-- Counts a try, unless it must wait. The first tries are free; then each one makes the next wait longer, and in the long
-- run one is let through per pace. `judgeTry` in try-limit.ts does the same for a process without Redis.
-- KEYS[1] a hash: level, how many tries are not made up for yet; at, when that was so; until, when the next one may come;
-- last, the name of the try that set it; born, when the first try was counted since all were forgotten
-- ARGV[1] free tries, ARGV[2] the first wait, ARGV[3] the pace and longest wait, both in ms; ARGV[4] 'try', 'check' to
-- count nothing, or 'count' to count one that was let through before
-- Returns how long to wait in ms, 0: the try is let through; and the name of a try that was counted.
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local free, first, pace = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local row = redis.call('HMGET', KEYS[1], 'level', 'at', 'until', 'born')
-- A clock that steps back makes nobody wait longer.
local wait = math.min(pace, (tonumber(row[3]) or 0) - now)
if wait > 0 and ARGV[4] ~= 'count' then return { wait, '' } end
if ARGV[4] == 'check' then return { 0, '' } end
local passed = math.max(0, now - (tonumber(row[2]) or now))
local level = math.max(0, (tonumber(row[1]) or 0) - passed / pace) + 1
local after = 0
local over = math.ceil(level) - free
if over >= 0 then after = math.min(pace, first * 2 ^ over) end
local at = string.format('%.0f', now)
local born = row[4] or at
-- Tries at the same moment differ in their level.
local last = born .. ':' .. at .. ':' .. string.format('%.17g', level)
redis.call('HSET', KEYS[1], 'level', level, 'at', at, 'until', string.format('%.0f', now + after), 'last', last, 'born', born)
redis.call('PEXPIRE', KEYS[1], math.ceil(level * pace))
return { 0, last }
