import type { Clock } from '../../ports/process.ts';
import type { HintTurns } from '../../ports/surge.ts';
import type { Settings } from '../../settings.ts';
import type { RedisConnections } from '../../engines/redis/redis.ts';

type Needs = { readonly redis: RedisConnections; readonly clock: Clock; readonly settings: Pick<Settings, 'hints'> };

/** A courier's turn to be told something is a key that runs out with the gap. */
export function createHintTurns({ redis: { commands, prefix }, clock, settings }: Needs): HintTurns {
  const gapRealMs = Math.ceil(settings.hints.gapMs / clock.scale);
  return {
    take: async (courierId) => {
      try {
        return (await commands.set(`${prefix}{hint:${courierId}}`, 1, 'PX', gapRealMs, 'NX')) === 'OK';
      } catch {
        // Redis is away: nobody can know who was told lately, and a hint is not worth telling twice.
        return false;
      }
    },
  };
}
