// A first delivery: a quote, a delivery made from it, what its recipient sees until the goods arrive, and the proof.
// Start the server with `npm start`, then run `node_modules/.bin/node examples/first-delivery.ts`.
// In a project of your own, import from `@dispatch-server/client` in place of the paths.
import { readFileSync } from 'node:fs';
import { createClient } from '../packages/client/src/client.ts';
import { openTrackFeed } from '../packages/client/src/sockets/track.ts';
import { written } from './written.ts';

type Demo = { base_url: string; center: { lat: number; lng: number }; vendor: { api_key: string } };
const demo = JSON.parse(readFileSync(process.env['DEMO_FILE'] ?? '.data/demo.json', 'utf8')) as Demo;
const baseUrl = process.env['BASE_URL'] ?? demo.base_url;
const client = createClient({ baseUrl, credential: process.env['API_KEY'] ?? demo.vendor.api_key });

// 1. What would it cost?
const { lat, lng } = demo.center;
const route = {
  pickup: { coordinates: { lat, lng }, contact: { name: 'Kitchen', phone: '+4232301234' } },
  drop_off: [
    {
      coordinates: { lat: lat + 0.0149, lng: lng - 0.0101 },
      contact: { name: 'Robin', phone: '+4237912345' },
      verification: { picture: true, pin: { type: 'random' } },
    },
  ],
  metadata: { category: 'Food', weight: 1.2 },
} as const;
const quote = await client.express.createQuote(route);
console.log(`quote      ${written(quote.fee, quote.currency)} for ${(quote.distance_m / 1000).toFixed(1)} km`);

// 2. Order it. In test mode a robo-courier carries it, here 20 times as fast as the usual 30 s a step.
const robo = { robo_courier_specification: { mode: 'auto', time_scale: 20 } } as const;
const delivery = await client.express.create({ ...route, quote_id: quote.id, test_specifications: robo });
console.log(`created    ${delivery.id}, ${delivery.status}`);

// 3. Watch it as the recipient does. The feed replays what happens while the connection is lost.
const { url } = await client.express.getTrackingLink(delivery.id);
console.log(`tracking   ${url}`);
const ending = await new Promise<string>((resolve) => {
  const feed = openTrackFeed({
    baseUrl,
    token: url.slice(url.lastIndexOf('/') + 1),
    lastSeq: { [delivery.id]: 0 },
    onPositions: ({ items }) => items.forEach(([, , , at, to]) => console.log(`position   ${at}, ${to}`)),
    onEvent: ({ sequence, type, data }) => {
      console.log(`event ${sequence}    ${type}${data.courier ? ` (${data.courier.first_name})` : ''}`);
      if (['delivered', 'canceled', 'delivery.failed'].includes(type)) resolve((feed.close(), type));
    },
  });
});
console.log(`ended      ${ending}`);

// 4. Read the proof. The links to the photos work for 15 minutes.
const { stops } = await client.express.getProof(delivery.id);
for (const { stop, pin, pictures } of stops)
  console.log(`proof ${stop}    pin ${pin?.verified}, photos ${pictures.length}`);
