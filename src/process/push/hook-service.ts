import { Agent, type Dispatcher } from 'undici';
import { dataOf } from '../../domain/couriers/push.ts';
import type { Clock } from '../../ports/process.ts';
import type { Settings } from '../../settings.ts';
import { newId } from '../../domain/ids.ts';
import { guardedConnector, type AddressRules } from '../../webhooks/guard-address.ts';
import { signatureHeaders } from '../../webhooks/sign.ts';
import { send } from './fcm-token.ts';
import type { PushService } from './push-service.ts';
import { isPassing, Passing, tryAgain, waitOf } from './try-again.ts';

export type Hook = { readonly url: string; readonly secret: string };

/**
 * Sends pushes to a server of the operator, which passes them on. Requests are signed like webhooks, and connect only
 * to the addresses that the rules allow. The server answers 410 if the device no longer has the app.
 */
export function createHookService(
  { url, secret }: Hook,
  { push }: Pick<Settings, 'push'>,
  rules: AddressRules,
  clock: Clock,
): PushService {
  const dispatcher: Dispatcher = new Agent({ connect: guardedConnector(rules, push.requestRealMs) });
  return {
    send: (device, note) => {
      const { courierId, ttlRealMs } = note;
      const untilMs = clock.real.elapsed() + Math.min(push.totalRealMs, ttlRealMs);
      // All tries have one id, by which the server can tell a repeat.
      const id = newId('att');
      const body = JSON.stringify({
        id,
        object: 'push',
        courier_id: courierId,
        ...dataOf(note),
        ttl_ms: ttlRealMs,
        device: { id: device.id, token: device.token, platform: device.platform, app_version: device.appVersion },
      });
      return tryAgain(clock, untilMs, async () => {
        const atS = Math.floor(clock.real.wall() / 1000);
        const headers = { 'content-type': 'application/json', ...signatureHeaders([secret], id, atS, body) };
        const signal = AbortSignal.timeout(push.requestRealMs);
        const options = { method: 'POST', headers, body, dispatcher, signal } as const;
        const answer = await send(url, options, (response) => response.body.dump());
        if (answer.statusCode === 410) return 'gone';
        if (answer.statusCode >= 200 && answer.statusCode < 300) return 'sent';
        const told = `the push server answered ${answer.statusCode}`;
        throw isPassing(answer.statusCode) ? new Passing(told, waitOf(answer.headers['retry-after'])) : new Error(told);
      });
    },
    close: () => dispatcher.close(),
  };
}
