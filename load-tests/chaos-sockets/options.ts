import { parseArgs } from 'node:util';
import { wholeOf } from '../numbers.ts';

export type SocketsOptions = {
  /** Changes that the vendor makes. Each is an event. */
  readonly events: number;
  /** Deliveries that are changed in turn. */
  readonly deliveries: number;
  /** Changes a second. */
  readonly rate: number;
  readonly servers: number;
  readonly faults: Readonly<Record<Fault, number>>;
  readonly seed: number;
  readonly json: string | null;
};

/** In the order of the usage text. The values say how often each comes by default. */
export const FAULTS = { 'server-kills': 18, 'redis-kills': 6 } as const;
export type Fault = keyof typeof FAULTS;

export const USAGE = `npm run chaos:sockets -- [options]

  --events N         changes of deliveries, each of which is an event (30000)
  --deliveries N     deliveries that are changed in turn, each with an open tracking page (40)
  --rate N           changes a second (100)
  --servers N        server processes (2)
  --server-kills N   kill -9 of a server, which starts again after 2 s (18)
  --redis-kills N    kill -9 of Redis, which starts again after 1 s, every other time empty (6)
  --seed N           seed of the faults (1)
  --json FILE        write all figures there
  --help             this text

Starts its own engines and servers. Beside each server runs a control, which is killed with it: Socket.IO that passes on
what it hears from Redis, and has no log. The run fails if an event is lost, doubled or out of order, if the control loses
less than 1 % (then the faults were too mild to say anything), or if events are late: 20 ms at p50, 1 s at p99, 3 s at most.`;

const NAMES = ['events', 'deliveries', 'rate', 'servers', 'server-kills', 'redis-kills', 'seed', 'json'] as const;
const MOST_KILLS = 1000;

/** Reads the command line. @throws Error with a sentence for the user */
export function parseSocketsOptions(args: readonly string[]): SocketsOptions {
  const named = Object.fromEntries(NAMES.map((name) => [name, { type: 'string' as const }]));
  const { values } = parseArgs({ args: [...args], options: named });
  const whole = (name: (typeof NAMES)[number], or: number, low: number, high: number): number =>
    wholeOf(name, values[name], or, low, high);
  return {
    events: whole('events', 30_000, 1, 10_000_000),
    deliveries: whole('deliveries', 40, 1, 500),
    rate: whole('rate', 100, 1, 1000),
    // While one server is killed, another one must answer.
    servers: whole('servers', 2, 2, 16),
    faults: {
      'server-kills': whole('server-kills', FAULTS['server-kills'], 0, MOST_KILLS),
      'redis-kills': whole('redis-kills', FAULTS['redis-kills'], 0, MOST_KILLS),
    },
    seed: whole('seed', 1, 0, 4_294_967_295),
    json: values['json'] ?? null,
  };
}
