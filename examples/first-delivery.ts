// A first delivery: a quote, a delivery made from it, and what its recipient sees until it is at the door.
// Start the server with `npm start`, then run `node_modules/.bin/node examples/first-delivery.ts`.
import { readFileSync } from 'node:fs';
import { io } from 'socket.io-client';
import type { PositionsFrame, ResyncAnswer, Snapshot, TrackDelivery } from '../src/realtime/protocol.ts';

type TrackEvent = Extract<ResyncAnswer, { events: unknown }>['events'][number];
type Demo = { base_url: string; center: { lat: number; lng: number }; vendor: { api_key: string } };

const GIVE_UP_MS = 180_000;
const ENDS = ['delivered', 'canceled', 'delivery.failed'];

const demo = JSON.parse(readFileSync(process.env['DEMO_FILE'] ?? '.data/demo.json', 'utf8')) as Demo;
const baseUrl = process.env['BASE_URL'] ?? demo.base_url;
const apiKey = process.env['API_KEY'] ?? demo.vendor.api_key;

async function call<T>(method: string, path: string, body?: object): Promise<T> {
  const response = await fetch(`${baseUrl}${path}`, {
    method,
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  return (await response.json()) as T;
}

// 1. What would it cost?
const { lat, lng } = demo.center;
const route = {
  pickup: { coordinates: { lat, lng }, contact: { name: 'Kitchen', phone: '+493012345678' } },
  drop_off: [
    { coordinates: { lat: lat + 0.01, lng: lng + 0.01 }, contact: { name: 'Robin', phone: '+4915112345678' } },
  ],
  metadata: { category: 'Food', weight: 1.2 },
};
type Quote = { id: string; fee: number; currency: string; distance_m: number };
const quote = await call<Quote>('POST', '/express/quotes', route);
console.log(
  `quote      ${(quote.fee / 100).toFixed(2)} ${quote.currency} for ${(quote.distance_m / 1000).toFixed(1)} km`,
);

// 2. Order it. In test mode a robo-courier carries it, here 20 times as fast as the usual 30 s a step.
const delivery = await call<{ id: string; status: string }>('POST', '/express/deliveries', {
  ...route,
  quote_id: quote.id,
  test_specifications: { robo_courier_specification: { mode: 'auto', time_scale: 20 } },
});
console.log(`created    ${delivery.id}, ${delivery.status}`);

// 3. Watch it as the recipient does.
const { url } = await call<{ url: string }>('GET', `/express/deliveries/${delivery.id}/tracking-link`);
console.log(`tracking   ${url}`);
const ending = await watch(url.slice(url.lastIndexOf('/') + 1));
console.log(`ended      ${ending}`);
process.exit(ending === 'delivered' ? 0 : 1);

function watch(token: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let seen = 0;
    // After a lost connection the server replays what came after `last_seq`.
    const auth = (send: (auth: object) => void): void => send({ token, last_seq: { [delivery.id]: seen } });
    const socket = io(`${baseUrl}/track`, { transports: ['websocket'], auth });
    socket.on('connect_error', (error) => console.log(`reconnecting: ${error.message}`));
    // Each change brings the state anew; the order is told once.
    socket.once('snapshot', ({ delivery: shown }: Snapshot) => {
      const { steps } = shown as TrackDelivery;
      console.log(`ordered    at ${steps.ordered_at}`);
    });
    socket.on('positions', ({ items }: PositionsFrame, acknowledge: () => void) => {
      for (const [, , , itemLat, itemLng] of items) console.log(`position   ${itemLat}, ${itemLng}`);
      acknowledge();
    });
    socket.onAny((name: string, event: TrackEvent) => {
      if (event.object !== 'event' || event.sequence <= seen) return;
      seen = event.sequence;
      console.log(
        `event ${event.sequence}    ${name}${event.data.courier ? ` (${event.data.courier.first_name})` : ''}`,
      );
      if (ENDS.includes(name)) resolve(name);
    });
    setTimeout(() => reject(new Error('not delivered in time')), GIVE_UP_MS);
  });
}
