import { z } from 'zod';
import type { Clock } from '../../ports/process.ts';
import { dataOf, objectOf, PUSHES, type CourierPush } from '../../domain/couriers/push.ts';
import type { Device } from '../../domain/couriers/device.ts';
import type { Settings } from '../../settings.ts';
import { createAccessToken, send, textOf, type ServiceAccount } from './fcm-token.ts';
import type { PushService } from './push-service.ts';
import { isPassing, Passing, tryAgain, waitOf } from './try-again.ts';

/** Sends pushes with the HTTP v1 API of Firebase Cloud Messaging, in the name of a service account. */
export function createFcmService(account: ServiceAccount, { push }: Pick<Settings, 'push'>, clock: Clock): PushService {
  const access = createAccessToken(account, push.fcmTokenUrl, push.requestRealMs, clock);
  const url = `${push.fcmUrl.replace(/\/+$/u, '')}/v1/projects/${account.project_id}/messages:send`;

  const once = async (device: Device, note: CourierPush, renewal: Renewal): Promise<'sent' | 'gone'> => {
    const token = await access.get();
    const body = JSON.stringify({ message: messageOf(device, note, clock) });
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const signal = AbortSignal.timeout(push.requestRealMs);
    const answer = await send(url, { method: 'POST', headers, body, signal }, textOf);
    const status = answer.statusCode;
    if (status === 200) return 'sent';
    if (status === 404 && isUnregistered(answer.body)) return 'gone';
    if (status === 401) {
      access.drop(token);
      // The token may have ended early. If a fresh one is refused as well, the account has lost its right.
      const isFirst = !renewal.isDone;
      renewal.isDone = true;
      if (isFirst) throw new Passing('the push service refused the access token', 0);
    }
    const told = `the push service answered ${status}`;
    throw isPassing(status) ? new Passing(told, waitOf(answer.headers['retry-after'])) : new Error(told);
  };

  return {
    send: (device, note) => {
      const untilMs = clock.real.elapsed() + Math.min(push.totalRealMs, note.ttlRealMs);
      const renewal: Renewal = { isDone: false };
      return tryAgain(clock, untilMs, () => once(device, note, renewal));
    },
    close: async () => undefined,
  };
}

/** Whether one push has already renewed the access token. */
type Renewal = { isDone: boolean };

/** The message: ids for the app, and words without a name for the lock screen. A newer one about its object replaces it. */
function messageOf({ token }: Device, push: CourierPush, clock: Clock): object {
  const { ttlRealMs } = push;
  const ttlS = Math.max(1, Math.ceil(ttlRealMs / 1000));
  const endsS = Math.ceil((clock.real.wall() + ttlRealMs) / 1000);
  return {
    token,
    data: dataOf(push),
    android: { priority: 'HIGH', ttl: `${ttlS}s` },
    apns: {
      headers: {
        'apns-priority': '10',
        'apns-push-type': 'alert',
        'apns-expiration': String(endsS),
        'apns-collapse-id': objectOf(push),
      },
      payload: { aps: { alert: { title: PUSHES[push.type].title }, sound: 'default', 'content-available': 1 } },
    },
    webpush: { headers: { TTL: String(ttlS), Urgency: 'high' } },
  };
}

const Failure = z.object({
  error: z.object({ details: z.array(z.object({ errorCode: z.string().optional() })).optional() }),
});

/** Says whether the answer means that the app was removed from the device. Any other 404 is a wrong address of ours. */
function isUnregistered(text: string): boolean {
  try {
    const { details = [] } = Failure.parse(JSON.parse(text)).error;
    return details.some(({ errorCode }) => errorCode === 'UNREGISTERED');
  } catch {
    // The answer is not one of the push service, so it says nothing about the device.
    return false;
  }
}
