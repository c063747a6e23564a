// The phone of a courier sends pings at a hundred times the usual pace, over one connection at a time.
import { textFrame, type FrameClient } from '../../clients/swarm.ts';
import type { Attack, Target } from './attack.ts';
import { join } from './connect.ts';
import { flood } from './floods.ts';
import { createPoster } from './posts.ts';

/** The pause between two pings: 100 a second. */
const GAP_MS = 10;
/** The code of every login in test mode. */
const CODE = '000000';

export const pingFlood: Attack = {
  name: 'ping-flood',
  what: 'sends 100 pings a second as a courier',
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
  const anyone = createPoster(target);
  const { body } = await anyone.post('/auth/token', { grant_type: 'password', ...target.facts.staff });
  anyone.close();
  const dispatcher = createPoster(target, String(body['access_token']));
  const profile = { name: 'Ada Obi', phone, vehicle_type: 'bicycle', live_mode: false };
  const { status, body: courier } = await dispatcher.post('/couriers/onboard', profile);
  if (status !== 201) throw new Error(JSON.stringify(courier));
  await dispatcher.post(`/couriers/${String(courier['id'])}/activate`, {});
  dispatcher.close();
  return phone;
}

async function logIn(target: Target, phone: string): Promise<string> {
  const poster = createPoster(target);
  const { body } = await poster.post('/auth/token', { grant_type: 'otp', phone, code: CODE }, target.localAddress);
  poster.close();
  return String(body['access_token']);
}
