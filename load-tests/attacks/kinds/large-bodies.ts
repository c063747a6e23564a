// Sends large, useless bodies: with thousands of unknown fields and no credential, and very wide or deep JSON with a
// vendor's key.
import { Agent, request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { Attack, Figures, Target } from './attack.ts';
import { keepDoing } from './posts.ts';

const WIDTH = 30;
/** Below the largest body that any route accepts. */
const BYTES = 230_000;
/** Pause of the attacker after a refused connection. */
const AGAIN_MS = 20;

export const strangersBodies: Attack = {
  name: 'strangers-bodies',
  what: `posts bodies of 230 KB with unknown fields to /auth/otp without a credential, ${WIDTH} at a time`,
  run: (target, signal) => flood(target, signal, '/auth/otp', [wide()]),
};

export const sprawlingBodies: Attack = {
  name: 'sprawling-bodies',
  what: `posts wide and deep bodies of 230 KB to /deliveries with a vendor's key, ${WIDTH} at a time`,
  run: (target, signal) => {
    const bodies = [wide(), long(), deep(), `{"custom":${wide()}}`, `{"fixes":${long()}}`];
    return flood(target, signal, '/deliveries', bodies, target.facts.vendor.api_key);
  },
};

function wide(): string {
  const fields = Array.from({ length: Math.floor(BYTES / 11) }, (_, index) => `"k${String(index).padStart(6, '0')}":1`);
  return `{${fields.join(',').slice(0, -1)}1}`;
}

function long(): string {
  return `[${'1,'.repeat(BYTES / 2)}1]`;
}

function deep(): string {
  return `{"drop_off":${'['.repeat(BYTES / 2)}${']'.repeat(BYTES / 2)}}`;
}

async function flood(
  target: Target,
  signal: AbortSignal,
  path: string,
  texts: readonly string[],
  token?: string,
): Promise<Figures> {
  const bodies = texts.map((text) => Buffer.from(text));
  const agent = new Agent({ keepAlive: true });
  const figures: Record<string, number> = { bodies: 0, lost: 0 };
  await keepDoing(WIDTH, signal, async (count) => {
    const body = bodies[count % bodies.length] ?? Buffer.alloc(0);
    figures['bodies'] = (figures['bodies'] ?? 0) + 1;
    try {
      const name = `answered ${await post(target, path, body, agent, token)}`;
      figures[name] = (figures[name] ?? 0) + 1;
    } catch {
      // The server refuses or drops the connection, so the attacker tries again.
      figures['lost'] = (figures['lost'] ?? 0) + 1;
      await pause(AGAIN_MS);
    }
  });
  agent.destroy();
  return figures;
}

function post(
  { host, port, localAddress }: Target,
  path: string,
  body: Buffer,
  agent: Agent,
  token: string | undefined,
): Promise<number> {
  const headers = {
    'content-type': 'application/json',
    'content-length': String(body.length),
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
  };
  const from = localAddress === undefined ? {} : { localAddress };
  return new Promise((resolve, reject) => {
    const sent = request({ host, port, path, method: 'POST', headers, agent, ...from }, (answer) => {
      answer.resume();
      answer.on('error', reject);
      answer.on('end', () => resolve(answer.statusCode ?? 0));
    });
    sent.on('error', reject);
    sent.end(body);
  });
}
