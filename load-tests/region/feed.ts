// Plays another server process that receives positions. Each of its couriers sends a fix every few seconds.
import { createClock } from '../../src/clock.ts';
import { offsetBy, type Coordinates } from '../../src/domain/geo/geo.ts';
import type { CourierId } from '../../src/domain/ids.ts';
import { createPositionIndex } from '../../src/models/positions/position-index.ts';
import { connectRedis } from '../../src/engines/redis/redis.ts';
import { defaultSettings } from '../../src/settings.ts';
import { createRandom } from '../random.ts';
import { QUIET, UNCOUNTED } from '../quiet.ts';

export type Fed = { readonly ids: readonly CourierId[]; readonly places: readonly Coordinates[] };

const TICK_MS = 100;
/** The step between two fixes, metres: 18 km/h. */
const STEP_M = 20;

const [url = '', fixSeconds = '4'] = process.argv.slice(2);
const redis = await connectRedis(url, '', { log: QUIET, clock: createClock() });
const index = createPositionIndex({
  redis,
  clock: createClock(),
  settings: defaultSettings(),
  metrics: UNCOUNTED,
  log: QUIET,
});
await index.start();
// This process ignores the positions of other processes, because its couriers send only to it.
const random = createRandom(11);
const couriers: { readonly id: CourierId; place: Coordinates }[] = [];
let next = 0;
let seq = 0;

function move(): void {
  const share = Math.ceil((couriers.length * TICK_MS) / (Number(fixSeconds) * 1000));
  const now = Date.now();
  seq += 1;
  for (let count = 0; count < share; count += 1) {
    const courier = couriers[next];
    if (courier === undefined) return;
    next = (next + 1) % couriers.length;
    courier.place = offsetBy(courier.place, random.between(-STEP_M, STEP_M), random.between(-STEP_M, STEP_M));
    const { lat, lng } = courier.place;
    const fix = { seq, at: now, lat, lng, accuracyM: 8, speedMps: 5, headingDeg: 90, receivedAt: now };
    index.put({ ...fix, courierId: courier.id });
  }
}

process.on('message', ({ ids, places }: Fed) => {
  for (const [at, id] of ids.entries()) couriers.push({ id, place: places[at] ?? { lat: 0, lng: 0 } });
});
process.on('disconnect', () => process.exit());
setInterval(move, TICK_MS);
