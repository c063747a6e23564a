// The app of a courier, without a screen: it logs in, goes online, accepts each offer and carries the delivery.
// Start the server with `npm start`, then run `node_modules/.bin/node examples/courier-app.ts`. The code of a login is 000000.
// Create a delivery without `test_specifications` in another terminal; its tracking page shows the PIN.
// In a project of your own, import from `@dispatch-server/client` in place of the paths.
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { createClient } from '../packages/client/src/client.ts';
import type { CourierActions } from '../packages/client/src/generated/messages.ts';
import { ServiceProblem } from '../packages/client/src/problems.ts';
import { courierSession } from '../packages/client/src/sessions.ts';
import { openCourierSocket } from '../packages/client/src/sockets/courier.ts';
import { written } from './written.ts';

type Place = { lat: number; lng: number };
type Demo = { base_url: string; center: Place; couriers: { id: string; phone: string }[] };
const demo = JSON.parse(readFileSync(process.env['DEMO_FILE'] ?? '.data/demo.json', 'utf8')) as Demo;
const baseUrl = process.env['BASE_URL'] ?? demo.base_url;
const [me] = demo.couriers;
if (me === undefined) throw new Error('the demo has no courier');

const keyboard = createInterface({ input: process.stdin, output: process.stdout });
const session = courierSession(me.phone, () => keyboard.question('Code: '), { baseUrl });
const client = createClient({ baseUrl, credential: session });
await client.couriers.setAvailability(me.id, { status: 'online' });

/** The deliveries that this app carries, so that a replay or a second snapshot begins none twice. */
const carried = new Set<string>();
const answered = new Set<string>();
let here = demo.center;
let work = Promise.resolve();

const socket = openCourierSocket({
  baseUrl,
  session,
  onState: (state) => console.log(`connection ${state}`),
  onOffer: ({ offer_id: offerId, delivery_id: deliveryId, payout }) => {
    // The server sends an offer again if it is not sure that the phone has it.
    if (answered.has(offerId)) return;
    answered.add(offerId);
    console.log(`offer      ${deliveryId} for ${written(payout.amount, payout.currency)}`);
    void attempt(async () => {
      await socket.act('offer.accept', { offer_id: offerId });
      carry(deliveryId);
    });
  },
  onEvent: ({ sequence, type }) => console.log(`event ${sequence}    ${type}`),
  // After a restart or a lost answer, the snapshot shows what the courier carries.
  onSnapshot: ({ delivery_id: deliveryId, delivery }) => {
    if (['assigned', 'picked_up', 'in_transit'].includes(delivery.status)) carry(deliveryId);
  },
});
const reports = setInterval(() => socket.report({ ...here, accuracy_m: 8 }), 1000);

/** Carries one delivery after the other. */
function carry(deliveryId: string): void {
  if (carried.has(deliveryId)) return;
  carried.add(deliveryId);
  work = work.then(() => attempt(() => carryOne(deliveryId)));
}

/** Carries a delivery from the step that it has reached. */
async function carryOne(deliveryId: string): Promise<void> {
  const { status, pickup, drop_off: dropOffs } = await client.deliveries.get(deliveryId);
  if (status === 'assigned') {
    await driveTo(pickup.coordinates);
    await step('stop.arrive', () => ({ delivery_id: deliveryId, stop: 0 }));
    await step('delivery.pick_up', () => ({ delivery_id: deliveryId }));
  }
  if (status !== 'in_transit') await step('delivery.depart', () => ({ delivery_id: deliveryId }));
  const open = dropOffs.filter((dropOff) => dropOff.ended_at === null).toSorted((a, b) => a.visit - b.visit);
  for (const { stop, coordinates, verification } of open) {
    await driveTo(coordinates);
    await step('stop.arrive', () => ({ delivery_id: deliveryId, stop }));
    await step('delivery.deliver', async () => {
      let pin: string | undefined;
      while (verification?.pin.enabled === true && !/^\d{4,8}$/.test(pin ?? '')) pin = await keyboard.question('PIN: ');
      return { delivery_id: deliveryId, stop, proof: { pin } };
    });
  }
  console.log(`delivered  ${deliveryId}`);
}

type Body<A extends keyof CourierActions> = () => CourierActions[A] | Promise<CourierActions[A]>;

/** Does a step. Does it again if the server does not know yet that the courier is there, or if the PIN was wrong. */
async function step<A extends keyof CourierActions>(action: A, body: Body<A>): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      await socket.act(action, await body());
      return console.log(`done       ${action}`);
    } catch (error) {
      const code = error instanceof ServiceProblem ? error.code : '';
      if (!['too_far_from_stop', 'courier_position_unknown', 'pin_incorrect'].includes(code) || tries > 10) throw error;
      await pause(1000);
    }
  }
}

/** Moves by at most 150 m each second, as a screen and a vehicle would. */
async function driveTo({ lat, lng }: Place): Promise<void> {
  const metres = Math.hypot(lat - here.lat, (lng - here.lng) * 0.68) * 111_000;
  for (let left = Math.ceil(metres / 150); left > 0; left -= 1) {
    here = { lat: here.lat + (lat - here.lat) / left, lng: here.lng + (lng - here.lng) / left };
    await pause(1000);
  }
}

/** Shows a refusal to the courier in place of ending the app. */
async function attempt(task: () => Promise<void>): Promise<void> {
  await task().catch((error: unknown) => console.log(`refused    ${String(error)}`));
}

// Ctrl-C or the end of the input ends the shift, when the courier has delivered what they carry.
await new Promise((resolve) => keyboard.once('close', resolve));
await work;
clearInterval(reports);
await client.couriers.setAvailability(me.id, { status: 'offline' });
socket.close();
