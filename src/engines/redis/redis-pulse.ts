import { randomBytes } from 'node:crypto';
import type { Clock, Stop } from '../../ports/process.ts';
import { WRITES, type RedisConnections } from './redis.ts';
import type { RedisClient } from './redis-clients.ts';

type Needs = { readonly redis: RedisConnections; readonly clock: Pick<Clock, 'real'> };

/** Machine time between two beats. A server knows after at most this time that Redis takes no writes. */
const BEAT_MS = 1_000;
/** A beat's key outlives a few beats. Later a dead process leaves no key behind. */
const KEY_MS = 10_000;
/** How many messages to itself a process may miss before it replaces the connections as deaf. */
const MOST_MISSED = 3;

/** A pair of connections over which this process sends itself a message with each beat. */
type Ear = { readonly clients: readonly RedisClient[]; say(): Promise<unknown>; missed: number };

/**
 * Tries once a second whether Redis takes a write, and whether this process receives its own message. An open
 * connection proves neither: after a failover it may lead to a replica, or to a machine that is gone. Deaf connections
 * are made again.
 * @returns a function that ends it; resolves after the first beat, even a failed one
 */
export async function startPulse({ redis, clock }: Needs): Promise<Stop> {
  const { commands, outage, prefix } = redis;
  const ears = listen(redis);
  let isBeating = false;
  const beat = async (): Promise<void> => {
    if (isBeating) return;
    isBeating = true;
    try {
      await commands.set(`${prefix}pulse`, 1, 'PX', KEY_MS);
      outage.regain(WRITES);
      ears.forEach((ear) => check(ear, redis));
    } catch (error) {
      outage.lose(WRITES, error instanceof Error ? error.message : String(error));
    }
    isBeating = false;
  };
  await beat();
  return clock.real.every(BEAT_MS, () => void beat());
}

function check(ear: Ear, { outage }: RedisConnections): void {
  if (ear.missed >= MOST_MISSED) {
    ear.missed = 0;
    outage.lose(ear, 'messages do not arrive');
    for (const client of ear.clients) client.disconnect(true);
    return;
  }
  // While a connection is made again it receives nothing.
  if (ear.clients.some(({ status }) => status !== 'ready')) return;
  ear.missed += 1;
  // A message that cannot be sent does not arrive either and counts as missed.
  ear.say().catch(() => undefined);
}

function listen({ commands, subscriber, adapter, prefix, outage }: RedisConnections): Ear[] {
  const id = `pulse:${randomBytes(9).toString('base64url')}`;
  const { pub, sub, isSharded, channels } = adapter;
  const hearBy = (name: string, event: string, from: RedisClient, ear: Ear): Ear => {
    from.on(event, (channel: string) => {
      if (channel !== name) return;
      ear.missed = 0;
      outage.regain(ear);
    });
    return ear;
  };
  const [plain, ours] = [`${prefix}${id}`, `${channels}#${id}`];
  // A subscription fails only if its connection is closed for good. A refused one receives nothing, which is reported.
  const ignore = (): void => undefined;
  subscriber.subscribe(plain).catch(ignore);
  if (isSharded) sub.ssubscribe(ours).catch(ignore);
  else sub.subscribe(ours).catch(ignore);
  return [
    hearBy(plain, 'message', subscriber, {
      clients: [subscriber],
      say: () => commands.publish(plain, ''),
      missed: 0,
    }),
    hearBy(ours, isSharded ? 'smessage' : 'message', sub, {
      clients: [pub, sub],
      say: () => (isSharded ? pub.spublish(ours, '') : pub.publish(ours, '')),
      missed: 0,
    }),
  ];
}
