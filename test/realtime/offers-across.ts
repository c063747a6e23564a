import { onTestFinished } from 'vitest';
import { startPulse } from '../../src/engines/redis/redis-pulse.ts';
import { anOffer } from '../builders.ts';
import { bear, openSite, storeCourier, tokensOf, type Process, type Site } from './house.ts';

/** A site whose processes wait a second for the acknowledgement of an offer. */
export function openQuickSite(name: string): Promise<Site> {
  return openSite(name, ({ offers }) => void (offers.ackRealMs = 1_000));
}

/** Two processes at this Redis that look after their connections, as a server does. */
export async function twoAt(site: Site, redisUrl: string): Promise<readonly [Process, Process]> {
  const processes = [await site.start(undefined, redisUrl), await site.start(undefined, redisUrl)] as const;
  for (const { redis, ctx } of processes) onTestFinished(await startPulse({ redis, clock: ctx.clock }));
  return processes;
}

/** Says whether an offer by each process is acknowledged by a phone that is connected to the other one. */
export async function reachEachOther(site: Site, [one, two]: readonly [Process, Process]): Promise<boolean> {
  const delivery = await bear(site);
  const tokens = tokensOf(site);
  const reach = async (from: Process, to: Process): Promise<boolean> => {
    const courier = await storeCourier(site);
    await site.join(to, '/courier', { token: tokens.courier(courier) }).ready();
    return from.ctx.notices.offerNew(anOffer({ courierId: courier.id, deliveryId: delivery.id }), delivery);
  };
  return (await Promise.all([reach(one, two), reach(two, one)])).every(Boolean);
}
