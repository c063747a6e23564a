import { pushOf, type DeliveryPush } from '../../domain/couriers/push.ts';
import type { Context } from '../../ports/context.ts';
import { keepGoing } from '../../work/keep-going.ts';
import { hearLog } from '../hear-log.ts';

type Needs = Pick<Context, 'clock' | 'eventLog' | 'leases' | 'log' | 'notices' | 'push' | 'settings'>;

/** Service time between two looks. Changes that come together, such as two edits, need one push. */
const EVERY_MS = 1000;

/**
 * Pushes changes of deliveries to couriers whose app is not connected. A connected app receives the event itself. A push
 * may get lost, also with the process that sends it: an app that connects receives all that it missed.
 */
export function startPushing(ctx: Needs): Promise<{ stop(): Promise<void> }> {
  const survive = keepGoing(ctx.log, 'pushes of changes');
  return hearLog(ctx, {
    name: 'pushes',
    everyMs: EVERY_MS,
    hear: pushOf,
    onGap: () => undefined,
    act: async (heard) => {
      await Promise.all(lastOfEach(heard).map((push) => survive(() => pushToAbsent(ctx, push))));
    },
  });
}

type Note = Omit<DeliveryPush, 'ttlRealMs'>;

/** The newest push for each courier and delivery. */
function lastOfEach(heard: readonly Note[]): Note[] {
  return [...new Map(heard.map((push) => [`${push.courierId} ${push.deliveryId}`, push])).values()];
}

async function pushToAbsent({ notices, push, settings }: Needs, note: Note): Promise<void> {
  if (await notices.isConnected(note.courierId)) return;
  await push.send({ ...note, ttlRealMs: settings.push.changeTtlRealMs });
}
