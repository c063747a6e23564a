-- Finds the couriers of one region around a place, nearest first.
-- KEYS[1] geo, KEYS[2] last seen
-- ARGV[1] longitude, ARGV[2] latitude, ARGV[3] radius in m, ARGV[4] how many at most
-- ARGV[5] epoch ms of Redis; couriers last seen before it are left out
-- Returns how many lie within the radius, at most ARGV[4]; how far the last of them is, in m; and then the id and the
-- distance of each who is not left out, and when they were last seen.
local found = redis.call('GEOSEARCH', KEYS[1], 'FROMLONLAT', ARGV[1], ARGV[2], 'BYRADIUS', ARGV[3], 'm', 'ASC',
  'COUNT', ARGV[4], 'WITHDIST')
if #found == 0 then return {0, '0'} end
local ids = {}
for i, entry in ipairs(found) do ids[i] = entry[1] end
local seen = redis.call('ZMSCORE', KEYS[2], unpack(ids))
local answer = {#found, found[#found][2]}
for i, entry in ipairs(found) do
  if seen[i] and tonumber(seen[i]) > tonumber(ARGV[5]) then
    answer[#answer + 1] = entry[1]
    answer[#answer + 1] = entry[2]
    answer[#answer + 1] = seen[i]
  end
end
return answer
