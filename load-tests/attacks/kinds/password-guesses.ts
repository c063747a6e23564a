// Keeps 24 password guesses in flight, for the demo's staff account and for invented accounts. They come from one
// address, or in a second attack from a new address each. Meanwhile the owner logs in twice a second.
import { setTimeout as pause } from 'node:timers/promises';
import type { Attack, Figures, Target } from './attack.ts';
import { addressOf, createPoster, keepDoing, type Poster } from './posts.ts';

const WIDTH = 24;
const OWNER_EVERY_MS = 500;
/** Pause of the attacker after a refused connection. */
const AGAIN_MS = 20;

type Counts = { guesses: number; looked_at: number; waiting: number; busy: number; lost: number };

export const passwordGuesses: Attack = {
  name: 'password-guesses',
  what: `guesses at passwords from one address, ${WIDTH} at a time`,
  run: (target, signal) => guess(target, signal, () => target.localAddress),
};

export const passwordBotnet: Attack = {
  name: 'password-botnet',
  what: `guesses at passwords from ever new addresses, ${WIDTH} at a time`,
  run: (target, signal) => guess(target, signal, (number) => addressOf(target, number)),
};

async function guess(
  target: Target,
  signal: AbortSignal,
  addressFor: (number: number) => string | undefined,
): Promise<Figures> {
  const poster = createPoster(target);
  const counts: Counts = { guesses: 0, looked_at: 0, waiting: 0, busy: 0, lost: 0 };
  const guessing = keepDoing(WIDTH, signal, async (number) => {
    const email = number % 2 === 0 ? target.facts.staff.email : `nobody-${number}@demo.example`;
    const body = { grant_type: 'password', email, password: `guess ${number}` };
    counts.guesses += 1;
    try {
      count(counts, (await poster.post('/auth/token', body, addressFor(number))).status);
    } catch {
      // The server refuses or drops the connection, so the attacker tries again.
      counts.lost += 1;
      await pause(AGAIN_MS);
    }
  });
  const owner = await logInMeanwhile(poster, target, signal);
  await guessing;
  poster.close();
  return { ...counts, ...owner };
}

function count(counts: Counts, status: number): void {
  if (status === 401) counts.looked_at += 1;
  if (status === 429) counts.waiting += 1;
  if (status === 503) counts.busy += 1;
}

/** The owner has logged in from this address before, with the staff session of the other users. */
async function logInMeanwhile(poster: Poster, { facts }: Target, signal: AbortSignal): Promise<Figures> {
  const owner = { owner_logins: 0, owner_refused: 0 };
  while (!signal.aborted) {
    const { status } = await poster.post('/auth/token', { grant_type: 'password', ...facts.staff });
    if (status === 200) owner.owner_logins += 1;
    else owner.owner_refused += 1;
    await pause(OWNER_EVERY_MS);
  }
  return owner;
}
