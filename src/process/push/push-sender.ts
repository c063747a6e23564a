import type { Device, PushProvider } from '../../domain/couriers/device.ts';
import type { Context } from '../../ports/context.ts';
import { objectOf, type CourierPush } from '../../domain/couriers/push.ts';
import type { Push } from '../../ports/offers.ts';
import type { PushService } from './push-service.ts';

/** The push services that this installation has. */
export type PushServices = { readonly [P in PushProvider]: PushService | null };

type Needs = Pick<Context, 'devices' | 'log' | 'metrics' | 'settings'> & {
  readonly credentials: Pick<Context['credentials'], 'listEnded'>;
  readonly services: PushServices;
};

/**
 * Sends pushes to all devices of a courier. A limited number is on its way at a time and a limited number waits; one
 * more is refused at once. Devices of ended sessions get nothing, and are removed like those without the app. Without a
 * push service it logs each push: the app shows the news when it connects again.
 */
export function createPushSender(needs: Needs): Push {
  const { mostWaiting, mostAtOnce } = needs.settings.push;
  const waiting: (() => void)[] = [];
  let running = 0;

  const takeTurn = async (): Promise<void> => {
    if (running >= mostAtOnce) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
  };
  const giveTurn = (): void => {
    const next = waiting.shift();
    if (next === undefined) running -= 1;
    else next();
  };
  return {
    send: async (push) => {
      if (running + waiting.length >= mostWaiting) {
        needs.metrics.count('pushes_total', { provider: 'none', result: 'dropped' });
        throw new Error('too many pushes wait');
      }
      await takeTurn();
      try {
        await sendToAll(needs, push);
      } finally {
        giveTurn();
      }
    },
  };
}

async function sendToAll(needs: Needs, push: CourierPush): Promise<void> {
  const devices = await listLive(needs, push);
  if (devices.length === 0) {
    needs.metrics.count('pushes_total', { provider: 'none', result: 'no_device' });
    return;
  }
  const sent = await Promise.allSettled(devices.map((device) => sendTo(needs, device, push)));
  const failed = sent.find((each) => each.status === 'rejected');
  // One phone in the courier's hand is enough.
  if (failed !== undefined && !sent.some((each) => each.status === 'fulfilled')) throw failed.reason;
}

async function sendTo(needs: Needs, device: Device, push: CourierPush): Promise<void> {
  const { services, metrics, log, devices } = needs;
  const provider = device.provider ?? (services.fcm === null ? 'webhook' : 'fcm');
  const service = services[provider];
  if (service === null) {
    log.info(
      { courier: push.courierId, object: objectOf(push), type: push.type, provider },
      'a phone needs a push, but its push service is not configured',
    );
    metrics.count('pushes_total', { provider, result: 'not_configured' });
    return;
  }
  let result = 'failed';
  try {
    result = await service.send(device, push);
  } finally {
    metrics.count('pushes_total', { provider, result });
  }
  if (result === 'gone') await devices.remove(device.courierId, device.id, null);
}

/** The devices whose session is still alive. The stored sessions decide, because a message of their end may get lost. */
async function listLive({ devices, credentials }: Needs, { courierId }: CourierPush): Promise<readonly Device[]> {
  const all = await devices.listOf(courierId);
  if (all.length === 0) return all;
  const ended = await credentials.listEnded(all.map(({ sessionId }) => sessionId));
  const gone = all.filter(({ sessionId }) => ended.has(sessionId));
  await devices.removeOfSessions(gone.map(({ sessionId }) => sessionId));
  return all.filter((device) => !gone.includes(device));
}
