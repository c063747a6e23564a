// The vendor's webhook receiver. It verifies every signature by the published rule and records what it received.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import { once } from 'node:events';

export type Received = {
  readonly type: string;
  readonly deliveryId: string;
  readonly sequence: number;
  /** Service time of the event's commit, as the event states it. */
  readonly createdAt: number;
  /** Machine time of the first receipt, performance.now(). */
  readonly firstAt: number;
  times: number;
};

export type Receiver = {
  readonly url: string;
  /** Sets the registration's secret. Until then no request is valid. */
  trust(secret: string): void;
  readonly events: ReadonlyMap<string, Received>;
  readonly counts: { requests: number; badSignatures: number };
  close(): Promise<void>;
};

const TOLERANCE_S = 300;
const MOST_BYTES = 1_048_576;

/** Listens on a free loopback port. */
export async function startReceiver(): Promise<Receiver> {
  const events = new Map<string, Received>();
  const counts = { requests: 0, badSignatures: 0 };
  let secret: string | null = null;
  const server = createServer((request, response) => {
    void readBody(request).then((body) => {
      counts.requests += 1;
      const isGenuine = secret !== null && verify(secret, String(request.headers['x-service-signature'] ?? ''), body);
      if (isGenuine) note(events, body);
      else counts.badSignatures += 1;
      response.writeHead(isGenuine ? 200 : 401).end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}/hook`,
    trust: (given) => {
      secret = given;
    },
    events,
    counts,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/**
 * Checks `t=<unix seconds>,v1=<hex HMAC-SHA256(secret, t.body)>`. One of several v1 is enough, and t must be recent.
 */
export function verify(secret: string, header: string, body: string): boolean {
  const parts = header.split(',').map((part) => part.split('=', 2));
  const t = parts.find(([name]) => name === 't')?.[1] ?? '';
  if (!(Math.abs(Date.now() / 1000 - Number(t)) <= TOLERANCE_S)) return false;
  const expected = createHmac('sha256', secret).update(`${t}.${body}`).digest();
  return parts.some(([name, hex = '']) => {
    const given = Buffer.from(hex, 'hex');
    return name === 'v1' && given.length === expected.length && timingSafeEqual(given, expected);
  });
}

function note(events: Map<string, Received>, body: string): void {
  const event = JSON.parse(body) as {
    id: string;
    type: string;
    delivery_id: string;
    sequence: number;
    created_at: string;
  };
  const known = events.get(event.id);
  if (known !== undefined) {
    known.times += 1;
    return;
  }
  events.set(event.id, {
    type: event.type,
    deliveryId: event.delivery_id,
    sequence: event.sequence,
    createdAt: Date.parse(event.created_at),
    firstAt: performance.now(),
    times: 1,
  });
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MOST_BYTES) request.destroy();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
