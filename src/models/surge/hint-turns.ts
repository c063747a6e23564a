import type { Clock } from '../../ports/process.ts';
import type { HintTurns } from '../../ports/dispatch/surge.ts';
import type { Settings } from '../../settings.ts';
import type { RedisConnections } from '../../engines/redis/redis.ts';

type Needs = { readonly redis: RedisConnections; readonly clock: Clock; readonly settings: Pick<Settings, 'hints'> };

/** Limits how often a courier gets a hint. Each hint sets a key that expires after the least gap. */
export function createHintTurns({ redis: { commands, prefix }, clock, settings }: Needs): HintTurns {
  const gapRealMs = Math.ceil(settings.hints.gapMs / clock.scale);
  return {
    take: async (courierId) => {
      try {
        return (await commands.set(`${prefix}{hint:${courierId}}`, 1, 'PX', gapRealMs, 'NX')) === 'OK';
      } catch {
        // Redis is away, so this process cannot know who got a hint lately. A hint is not worth sending twice.
        return false;
      }
    },
  };
}
