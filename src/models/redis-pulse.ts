import { randomBytes } from 'node:crypto';
import type { Clock, Stop } from '../ports.ts';
import type { RedisConnections } from './redis.ts';
import type { RedisClient } from './redis-clients.ts';

type Needs = { readonly redis: RedisConnections; readonly clock: Pick<Clock, 'real'> };

/** Machine time between two beats: how late a server knows at most that Redis takes no writes. */
const BEAT_MS = 1_000;
/** A beat's key outlives a few beats, then a process that is gone leaves nothing behind. */
const KEY_MS = 10_000;
/** Messages to itself that a process may miss before it takes the connections for deaf. */
const MOST_MISSED = 3;

/** A pair of connections over which this process sends itself a message with each beat. */
type Ear = { readonly clients: readonly RedisClient[]; say(): Promise<unknown>; missed: number };

/**
 * Tries once a second whether Redis takes a write, and whether this process hears what it says. An open connection proves
 * neither: after a failover it may lead to a replica, or to a machine that is gone. Deaf connections are made again.
 * @returns what ends it; resolves after the first beat, whether that went well or not
 */
export async function startPulse({ redis, clock }: Needs): Promise<Stop> {
  const { commands, outage, prefix } = redis;
  const name = `${prefix}pulse:${randomBytes(9).toString('base64url')}`;
  const ears = listen(redis, name);
  let isBeating = false;
  const beat = async (): Promise<void> => {
    if (isBeating) return;
    isBeating = true;
    try {
      await commands.set(name, 1, 'PX', KEY_MS);
      outage.acceptWrites();
      ears.forEach((ear) => check(ear, redis));
    } catch (error) {
      outage.refuseWrites(error instanceof Error ? error.message : String(error));
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
  // While a connection is made again nothing can be heard over it.
  if (ear.clients.some(({ status }) => status !== 'ready')) return;
  ear.missed += 1;
  // A message that cannot be sent is not heard either, and counts as missed.
  ear.say().catch(() => undefined);
}

function listen(
  { commands, subscriber, adapterPub, adapterSub, isSharded, outage }: RedisConnections,
  name: string,
): Ear[] {
  const earOf = (clients: readonly RedisClient[], say: Ear['say'], event: string, from: RedisClient): Ear => {
    const ear: Ear = { clients, say, missed: 0 };
    from.on(event, (channel: string) => {
      if (channel !== name) return;
      ear.missed = 0;
      outage.regain(ear);
    });
    return ear;
  };
  // A subscription fails only when its connection is closed for good; one that is refused is not heard, which is told.
  const ignore = (): void => undefined;
  subscriber.subscribe(name).catch(ignore);
  if (isSharded) adapterSub.ssubscribe(name).catch(ignore);
  else adapterSub.subscribe(name).catch(ignore);
  return [
    earOf([subscriber], () => commands.publish(name, ''), 'message', subscriber),
    isSharded
      ? earOf([adapterPub, adapterSub], () => adapterPub.spublish(name, ''), 'smessage', adapterSub)
      : earOf([adapterPub, adapterSub], () => adapterPub.publish(name, ''), 'message', adapterSub),
  ];
}
