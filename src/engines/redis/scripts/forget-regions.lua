-- Forgets in which region couriers are, unless they have moved to another one in the meantime.
-- KEYS[1] courier to region
-- ARGV[1] the region, ARGV[2...] courier ids
for i = 2, #ARGV do
  if redis.call('HGET', KEYS[1], ARGV[i]) == ARGV[1] then redis.call('HDEL', KEYS[1], ARGV[i]) end
end
return #ARGV - 1
