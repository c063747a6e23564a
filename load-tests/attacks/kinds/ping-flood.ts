// The phone of a courier sends pings at a hundred times the usual pace, over one connection at a time.
import { textFrame, type FrameClient } from '../../clients/swarm.ts';
import type { Attack, Target } from './attack.ts';
import { join } from './connect.ts';
import { flood, MOST_MS_OPEN } from './floods.ts';
import { createPoster, type Posted } from './posts.ts';

/** The pause between two pings: 100 a second. */
const GAP_MS = 10;
/** The code of every login in test mode. */
const CODE = '000000';

export const pingFlood: Attack = {
  name: 'ping-flood',
  what: 'sends 100 pings a second as a courier',
  mostMsOpen: MOST_MS_OPEN,
  run: async (target, signal) => {
    const token = await logIn(target, await addCourier(target));
    const { lat, lng } = target.facts.center;
    let seq = 0;
    const send = (client: FrameClient): number => {
      seq += 1;
      const body = JSON.stringify(['ping', { fixes: [[seq, Date.now(), lat, lng, 8, 0, 0]] }]);
      client.send(textFrame(`42/courier,${seq}${body}`));
      return 1;
    };
    return flood(
      { open: (onText) => join(target, '/courier', token, onText), send, gapMs: GAP_MS, answer: '43' },
      signal,
    );
  },
};

/** Onboards a courier in test mode. Returns their phone. */
async function addCourier(target: Target): Promise<string> {
  const phone = `+49151${String(Math.floor(Math.random() * 1e8)).padStart(8, '0')}`;
  const staff = await ask(target, '/auth/token', { grant_type: 'password', ...target.facts.staff });
  const token = String(staff['access_token']);
  const profile = { name: 'Ada Obi', phone, vehicle_type: 'bicycle', live_mode: false };
  const courier = await ask(target, '/couriers/onboard', profile, { token });
  await ask(target, `/couriers/${String(courier['id'])}/activate`, {}, { token });
  return phone;
}

async function logIn(target: Target, phone: string): Promise<string> {
  const code = { grant_type: 'otp', phone, code: CODE };
  const body = await ask(target, '/auth/token', code, { address: target.localAddress });
  return String(body['access_token']);
}

/** Posts once. @throws Error when the server refuses, because a flood without a courier proves nothing */
async function ask(
  target: Target,
  path: string,
  body: object,
  { token, address }: { token?: string; address?: string | undefined } = {},
): Promise<Posted['body']> {
  const poster = createPoster(target, token);
  const posted = await poster.post(path, body, address).finally(() => poster.close());
  if (posted.status >= 300) throw new Error(`POST ${path}: ${posted.status} ${JSON.stringify(posted.body)}`);
  return posted.body;
}
