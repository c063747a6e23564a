/** A fake push service: a token server, the send route of Firebase, and a server of the operator. */
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { generateKeyPair, exportPKCS8 } from 'jose';
import { afterAll } from 'vitest';
import { createClock } from '../../../src/clock.ts';
import type { DeliveryPush } from '../../../src/domain/couriers/push.ts';
import type { Device } from '../../../src/domain/couriers/device.ts';
import { newId } from '../../../src/domain/ids.ts';
import { defaultSettings } from '../../../src/settings.ts';
import { openPort } from '../../open-port.ts';

export type Heard = { readonly path: string; readonly headers: IncomingHttpHeaders; readonly body: string };
export type Told = {
  readonly status: number;
  readonly body?: string;
  readonly headers?: Record<string, string>;
  /** How it ends in the middle of its body: the connection is reset, or nothing more comes. */
  readonly ends?: 'reset' | 'silence';
};

export const clock = createClock();
const keys = await generateKeyPair('RS256', { extractable: true });
export const publicKey = keys.publicKey;
export const ACCOUNT = {
  project_id: 'a-project',
  client_email: 'push@a-project.example.com',
  private_key: await exportPKCS8(keys.privateKey),
};

/** Starts the service. `next` are the answers of the send route in turn, null for none; then it answers 200. */
export async function openService() {
  const heard: Heard[] = [];
  const next: (Told | null)[] = [];
  const tokens: Told[] = [];
  let granted = 0;
  const answerOf = (path: string): Told | null => {
    if (path !== '/token') return next.length === 0 ? { status: 200, body: '{"name":"x"}' } : (next.shift() ?? null);
    granted += 1;
    return tokens.shift() ?? { status: 200, body: JSON.stringify({ access_token: `at-${granted}`, expires_in: 3600 }) };
  };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const path = request.url ?? '';
      heard.push({ path, headers: request.headers, body: Buffer.concat(chunks).toString() });
      const told = answerOf(path);
      if (told === null) return;
      response.writeHead(told.status, told.headers);
      if (told.ends === undefined) return void response.end(told.body ?? '');
      response.write('{', () => told.ends === 'reset' && response.destroy());
    });
  });
  const url = await openPort(server);
  afterAll(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const { push, ...rest } = defaultSettings();
  const fcm = { fcmUrl: url, fcmTokenUrl: `${url}/token`, requestRealMs: 15_000, totalRealMs: 60_000 };
  const settings = { ...rest, push: { ...push, ...fcm } };
  // Only a test of silence needs a short wait. On a busy machine it may also end another request.
  const hasty = { ...settings, push: { ...settings.push, requestRealMs: 3000 } };
  return {
    url,
    settings,
    hasty,
    heard,
    next,
    tokens,
    at: (path: string) => heard.filter((each) => each.path === path),
  };
}

export const PUSH: DeliveryPush = {
  type: 'offer',
  courierId: newId('cou'),
  offerId: newId('off'),
  deliveryId: newId('del'),
  ttlRealMs: 20_000,
};

export function aDevice(over: Partial<Device> = {}): Device {
  return {
    id: newId('dev'),
    courierId: PUSH.courierId,
    sessionId: newId('ses'),
    token: newId('dev'),
    platform: 'android',
    appVersion: null,
    provider: null,
    registeredAt: 1,
    ...over,
  };
}
