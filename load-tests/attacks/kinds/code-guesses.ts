// Guesses the one-time code of a live courier whose phone also has a profile in test mode. Between guesses it logs in
// to test mode, which must not reset the count of tries. A second attack sends a flood of requests for invented phones.
import { setTimeout as pause } from 'node:timers/promises';
import type { Attack, Target } from './attack.ts';
import { createPoster, keepDoing } from './posts.ts';

const WIDTH = 8;
const FLOOD_WIDTH = 24;
/** Pause of the attacker after a refused connection. */
const AGAIN_MS = 20;

export const codeGuesses: Attack = {
  name: 'code-guesses',
  what: `guesses at the one-time code of a courier, ${WIDTH} at a time, and logs in to test mode between`,
  run: async (target, signal) => {
    const phone = await addTwins(target);
    const poster = createPoster(target);
    const counts = { requests: 0, accepted: 0, guesses: 0, looked_at: 0, waiting: 0, test_logins: 0, lost: 0 };
    const logIn = (code: string) => poster.post('/auth/token', { grant_type: 'otp', phone, code }, target.localAddress);
    await keepDoing(WIDTH, signal, async (number) => {
      try {
        counts.requests += 1;
        const asked = await poster.post('/auth/otp', { phone }, target.localAddress);
        if (asked.status === 202) counts.accepted += 1;
        const { status } = await logIn(String(100_000 + (number % 900_000)));
        counts.guesses += 1;
        if (status === 401) counts.looked_at += 1;
        if (status === 429) counts.waiting += 1;
        if ((await logIn('000000')).status === 200) counts.test_logins += 1;
      } catch {
        // The server refuses or drops the connection, so the attacker tries again.
        counts.lost += 1;
        await pause(AGAIN_MS);
      }
    });
    poster.close();
    return counts;
  },
};

export const codeFlood: Attack = {
  name: 'code-flood',
  what: `requests one-time codes for invented phones, ${FLOOD_WIDTH} at a time`,
  run: async (target, signal) => {
    const poster = createPoster(target);
    const counts = { requests: 0, accepted: 0, waiting: 0, busy: 0, lost: 0 };
    await keepDoing(FLOOD_WIDTH, signal, async (number) => {
      counts.requests += 1;
      try {
        const phone = `+4930${1_000_000 + number}`;
        const { status } = await poster.post('/auth/otp', { phone }, target.localAddress);
        if (status === 202) counts.accepted += 1;
        if (status === 429) counts.waiting += 1;
        if (status === 503) counts.busy += 1;
      } catch {
        // The server refuses or drops the connection, so the attacker tries again.
        counts.lost += 1;
        await pause(AGAIN_MS);
      }
    });
    poster.close();
    return counts;
  },
};

/** A courier in live mode whose phone also has an active profile in test mode. */
async function addTwins(target: Target): Promise<string> {
  const phone = `+49151${String(Math.floor(Math.random() * 1e8)).padStart(8, '0')}`;
  const anyone = createPoster(target);
  const { body } = await anyone.post('/auth/token', { grant_type: 'password', ...target.facts.staff });
  anyone.close();
  const dispatcher = createPoster(target, String(body['access_token']));
  for (const liveMode of [true, false]) {
    const profile = { name: 'Ada Obi', phone, vehicle_type: 'bicycle', live_mode: liveMode };
    const { status, body: answer } = await dispatcher.post('/couriers/onboard', profile);
    if (status !== 201) throw new Error(JSON.stringify(answer));
  }
  dispatcher.close();
  return phone;
}
