// Posts from addresses of the attacker, with a fixed number of them in flight.
import { Agent, request } from 'node:http';
import type { Target } from './attack.ts';

/** The status and the body as JSON. */
export type Posted = { readonly status: number; readonly body: Readonly<Record<string, unknown>> };

export type Poster = {
  /**
   * Posts JSON. @param address one of the attacker's; if undefined, the system chooses one
   * @throws when the connection is refused or lost
   */
  post(path: string, body: object, address?: string): Promise<Posted>;
  close(): void;
};

/** Sends posts over kept connections, with a bearer token if one is given. */
export function createPoster({ host, port }: Target, token?: string): Poster {
  const agent = new Agent({ keepAlive: true });
  const headers = {
    'content-type': 'application/json',
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
  };
  return {
    post: (path, body, address) =>
      new Promise((resolve, reject) => {
        const from = address === undefined ? {} : { localAddress: address };
        const sent = request({ host, port, path, method: 'POST', headers, agent, ...from }, (answer) => {
          let text = '';
          answer.setEncoding('utf8');
          answer.on('data', (chunk: string) => (text += chunk));
          answer.on('error', reject);
          answer.on('end', () => resolve({ status: answer.statusCode ?? 0, body: parsed(text) }));
        });
        sent.on('error', reject);
        sent.end(JSON.stringify(body));
      }),
    close: () => agent.destroy(),
  };
}

function parsed(text: string): Posted['body'] {
  return text.startsWith('{') ? (JSON.parse(text) as Posted['body']) : {};
}

/** Repeats the work, `width` times at once, until the signal aborts. The work receives the number of its turn. */
export async function keepDoing(
  width: number,
  signal: AbortSignal,
  work: (count: number) => Promise<void>,
): Promise<void> {
  let count = 0;
  const lane = async (): Promise<void> => {
    while (!signal.aborted) {
      count += 1;
      await work(count);
    }
  };
  await Promise.all(Array.from({ length: width }, lane));
}

/** The number of addresses that the attacker has. */
export const ADDRESSES = 250 * 250;

/**
 * A different address of the attacker for each number below `ADDRESSES`. Undefined if the server runs on another machine.
 */
export function addressOf({ localAddress }: Target, number: number): string | undefined {
  if (localAddress === undefined) return undefined;
  return `127.66.${1 + (Math.floor(number / 250) % 250)}.${1 + (number % 250)}`;
}
