import { expect, test } from 'vitest';
import type { Offer } from '../../../src/domain/offers/offer.ts';
import type { Delivery } from '../../../src/domain/deliveries/delivery.ts';
import type { Courier } from '../../../src/domain/couriers/courier.ts';
import { newId } from '../../../src/domain/ids.ts';
import { assignCourier } from '../../../src/dispatch/offers/assign-courier.ts';
import { viewOffer } from '../../../src/dispatch/offers/view-offer.ts';
import { anOffer, aStop, CENTER } from '../../builders.ts';
import { asStaff } from '../../callers.ts';
import { until } from '../../until.ts';
import type { Client } from '../client.ts';
import { assign, bear, openSite, storeCourier, tokensOf, type Process } from '../house.ts';

const site = await openSite('socket-courier');
const tokens = tokensOf(site);
const [a, b] = [await site.start(), await site.start()];

function fix(seq: number, at = site.clock.now()): number[] {
  return [seq, at, CENTER.lat, CENTER.lng, 8, 5, 90];
}

async function phoneOf(courier: Courier, process: Process): Promise<Client> {
  return site.join(process, '/courier', { token: tokens.courier(courier) }).ready();
}

function isOpen({ socket }: Client): boolean {
  return socket.connected;
}

function offerTo(courier: Courier, delivery: Delivery): Offer {
  const now = site.clock.now();
  return anOffer({ courierId: courier.id, deliveryId: delivery.id, createdAt: now, expiresAt: now + 25_000 });
}

test('[T13] a message that a phone sends right after it connects is answered', async () => {
  const courier = await storeCourier(site);
  const phone = site.join(a, '/courier', { token: tokens.courier(courier) });
  // Sent with the connect packet still under way.
  const answer = await phone.ask('ping', { fixes: [fix(1), fix(2, site.clock.now() + 1)] });
  expect(answer).toEqual({ ok: true, seq: 2, accepted: 2, dropped: 0 });
});

test("[T14] a ping counts for the connection's courier and becomes a position", async () => {
  const courier = await storeCourier(site);
  const phone = await phoneOf(courier, a);
  await phone.ask('ping', { fixes: [fix(7)] });
  await until(async () => (await b.ctx.positions.find(courier.id)) !== null);
  expect(await b.ctx.positions.find(courier.id)).toMatchObject({ courierId: courier.id, lat: CENTER.lat, seq: 7 });
  expect(await phone.ask('ping', { courier_id: newId('cou'), fixes: [fix(8)] })).toMatchObject({
    ok: false,
    problem: { code: 'unknown_field' },
  });
});

test('[G11] if a phone sends seconds or swaps latitude and longitude, the answer says why its fixes are dropped', async () => {
  const phone = await phoneOf(await storeCourier(site), a);
  const now = site.clock.now();
  const ping = (...fixes: number[][]) => phone.ask('ping', { fixes });
  expect(await ping(fix(1, Math.round(now / 1000)))).toEqual({
    ok: true,
    seq: 1,
    accepted: 0,
    dropped: 1,
    reason: 'too_old',
  });
  expect(await ping([2, now, 139.69, 35.68, 8, 5, 90], fix(3, now + 1))).toEqual({
    ok: true,
    seq: 3,
    accepted: 1,
    dropped: 1,
    reason: 'out_of_range',
  });
  expect(await ping([4, now + 2, CENTER.lng, CENTER.lat, 8, 5, 90])).toMatchObject({ dropped: 1, reason: 'suspect' });
});

test('[T14] a courier accepts, arrives, collects, departs and delivers over the socket', async () => {
  const courier = await storeCourier(site);
  const delivery = await bear(site);
  const offer = offerTo(courier, delivery);
  await site.offers.open(offer);
  const phone = await phoneOf(courier, a);
  const on = { delivery_id: delivery.id };
  expect(await phone.ask('offer.accept', { offer_id: offer.id })).toEqual({
    ok: true,
    delivery_id: delivery.id,
    status: 'assigned',
    sequence: 2,
  });
  // The snapshot that comes with the assignment stands for all events up to it; what follows is heard.
  await until(() => phone.shown(delivery.id) === 2);
  const reason = { override_reason: 'no satellites' };
  expect(await phone.ask('stop.arrive', { ...on, stop: 0, ...reason })).toMatchObject({ ok: true, status: 'assigned' });
  expect(await phone.ask('delivery.pick_up', { ...on, ...reason })).toMatchObject({ ok: true, status: 'picked_up' });
  expect(await phone.ask('delivery.depart', on)).toMatchObject({ ok: true, status: 'in_transit' });
  expect(await phone.ask('delivery.deliver', { ...on, stop: 1, ...reason })).toMatchObject({
    ok: true,
    status: 'delivered',
  });
  const whole = await site.eventLog.list(delivery.id, 1, 100);
  await until(() => phone.sequences(delivery.id).length === whole.length);
  expect(phone.sequences(delivery.id)).toEqual(whole.map(({ sequence }) => sequence));
  expect(whole.every(({ data }) => data.actor.id === courier.id)).toBe(true);
});

test('[T68] a snapshot shows when the delivery was assigned, and the repeat of a release that names it ends no later assignment', async () => {
  const courier = await storeCourier(site);
  const phone = await phoneOf(courier, a);
  const { id: deliveryId } = await bear(site);
  const assignByHand = async () => {
    const command = { deliveryId, courierId: courier.id, offerId: null, overrideReason: null };
    const { sequence, times } = await assignCourier(a.ctx, command, asStaff());
    await until(() => phone.shown(deliveryId) === sequence);
    const shown = phone.named('snapshot').at(-1)?.delivery?.['assigned_at'];
    expect(shown).toBe(new Date(times.assignedAt ?? 0).toISOString());
    return { delivery_id: deliveryId, reason: 'flat tyre', assigned_at: shown };
  };
  const first = await assignByHand();
  expect(await phone.ask('delivery.release', first)).toMatchObject({ ok: true, status: 'searching' });
  site.clock.shift(1000);
  const second = await assignByHand();
  expect(await phone.ask('delivery.release', first)).toMatchObject({ ok: true, status: 'assigned' });
  expect(await phone.ask('delivery.release', second)).toMatchObject({ ok: true, status: 'searching' });
});

test('[T69] the late repeat of an arrival that names its assignment is answered as done, and starts no wait clock', async () => {
  const courier = await storeCourier(site);
  const phone = await phoneOf(courier, a);
  const delivery = await assign(site, await bear(site), courier);
  const ended = new Date((delivery.times.assignedAt ?? 0) - 1000).toISOString();
  const arrival = { delivery_id: delivery.id, stop: 0, override_reason: 'no satellites' };
  const late = await phone.ask('stop.arrive', { ...arrival, assigned_at: ended });
  expect(late).toEqual({ ok: true, delivery_id: delivery.id, status: 'assigned', sequence: delivery.sequence });
  expect(await phone.ask('stop.arrive', arrival)).toMatchObject({ ok: true, sequence: delivery.sequence + 1 });
});

test('[T14] a refusal of the use case is answered with its problem', async () => {
  const [courier, other] = [await storeCourier(site), await storeCourier(site)];
  const delivery = await assign(site, await bear(site), other);
  const phone = await phoneOf(courier, a);
  expect(await phone.ask('delivery.release', { delivery_id: delivery.id, reason: 'flat tyre' })).toMatchObject({
    ok: false,
    problem: { code: 'delivery_not_found', status: 404, instance: 'delivery.release' },
  });
  expect(await phone.ask('offer.accept', { offer_id: newId('off') })).toMatchObject({
    ok: false,
    problem: { code: 'offer_not_found', status: 404 },
  });
});

test('[T14] an internal error is answered with only the request id, and is logged with it', async () => {
  const broken = await site.start(({ offers }) => ({
    offers: { ...offers, find: () => Promise.reject(new Error('secret detail')) },
  }));
  const phone = await phoneOf(await storeCourier(site), broken);
  const answer = await phone.ask('offer.decline', { offer_id: newId('off') });
  expect(answer).toMatchObject({ ok: false, problem: { code: 'internal_error', status: 500 } });
  expect(JSON.stringify(answer)).not.toContain('secret detail');
  const logged = site.log.lines.find(({ message }) => message === 'a socket message failed');
  expect(logged?.fields).toMatchObject({ requestId: answer.problem?.request_id });
});

test('[T20] an offer reaches its courier on any process, and the result is true after the phone acknowledged it', async () => {
  const [courier, absent] = [await storeCourier(site), await storeCourier(site)];
  const delivery = await bear(site);
  const phone = await phoneOf(courier, b);
  for (const from of [a, b]) {
    const offer = offerTo(courier, delivery);
    expect(await from.ctx.notices.offerNew(offer, delivery)).toBe(true);
    expect(phone.named('offer.new').at(-1)).toMatchObject({ offer_id: offer.id, delivery_id: delivery.id });
  }
  expect(await a.ctx.notices.offerNew(offerTo(absent, delivery), delivery)).toBe(false);
  for (const from of [a, b]) {
    expect(await from.ctx.notices.isConnected(courier.id)).toBe(true);
    expect(await from.ctx.notices.isConnected(absent.id)).toBe(false);
  }
  const offer = offerTo(courier, delivery);
  a.ctx.notices.offerWithdrawn({ ...offer, state: 'withdrawn', reason: 'canceled' });
  await until(() => phone.named('offer.withdrawn').length === 1);
  expect(phone.named('offer.withdrawn')).toEqual([{ offer_id: offer.id, reason: 'canceled' }]);
});

test('[D80] an offer lists the drop-offs in the order of the visits', async () => {
  const dropOffs = [aStop(1, { visit: 2 }), aStop(2, { visit: 1 })];
  const delivery = await bear(site, { dropOffs });
  const { drop_off: doors } = await viewOffer(a.ctx, offerTo(await storeCourier(site), delivery), delivery);
  expect(doors.map(({ stop }) => stop)).toEqual([2, 1]);
  expect(doors.map(({ coordinates }) => coordinates)).toEqual([dropOffs[1]?.place, dropOffs[0]?.place]);
});

test('[T20] a courier who reconnects sees their open offer again, which then counts as delivered', async () => {
  const courier = await storeCourier(site);
  const offer = offerTo(courier, await bear(site));
  await site.offers.open(offer);
  const phone = await phoneOf(courier, a);
  await until(() => phone.named('offer.new').length === 1);
  expect(phone.named('offer.new')[0]).toMatchObject({ offer_id: offer.id });
  await until(async () => (await site.offers.find(offer.id))?.deliveredAt !== null);
});

test('[T22] a connected courier who stands still stays present', async () => {
  const courier = await storeCourier(site);
  const phone = await phoneOf(courier, a);
  await phone.ask('ping', { fixes: [fix(1)] });
  await until(async () => (await b.ctx.positions.silentForMs([courier.id], 0)).has(courier.id));
  const touched = async (): Promise<boolean> =>
    ((await b.ctx.positions.silentForMs([courier.id], 0)).get(courier.id) ?? Infinity) < 9_000;
  // The last word is long ago; only the heartbeat can make it young again.
  site.clock.shift(10_000);
  await until(touched);
  expect(isOpen(phone)).toBe(true);
});

test('[D129] the messages of a handover carry its proof, a repeat answers alike, and no snapshot shows the PIN', async () => {
  const courier = await storeCourier(site);
  const none = { picture: false, signature: null, barcodes: [], minAge: null };
  const pin = { type: 'random' as const, sealed: a.ctx.vault.seal('0420') };
  const delivery = await bear(site, { dropOffs: [aStop(1, { verification: { ...none, pin } })] });
  const offer = offerTo(courier, delivery);
  await site.offers.open(offer);
  const phone = await phoneOf(courier, a);
  await phone.ask('offer.accept', { offer_id: offer.id });
  await until(() => phone.shown(delivery.id) === 2);
  expect(JSON.stringify(phone.heard)).toContain('"pin":{"enabled":true,"type":"random"}');
  expect(JSON.stringify(phone.heard)).not.toContain('0420');
  const on = { delivery_id: delivery.id, override_reason: 'no satellites' };
  await phone.ask('delivery.pick_up', { ...on, proof: { signature_name: 'Ada' } });
  await phone.ask('delivery.depart', { delivery_id: delivery.id });
  const deliver = (proof: object) => phone.ask('delivery.deliver', { ...on, stop: 1, proof });
  expect(await deliver({})).toMatchObject({
    ok: false,
    problem: { code: 'proof_required', metadata: { missing: ['pin'] } },
  });
  expect(await deliver({ pin: '1111' })).toMatchObject({ ok: false, problem: { code: 'pin_incorrect' } });
  const done = { ok: true, status: 'delivered' };
  expect(await deliver({ pin: '0420' })).toMatchObject(done);
  expect(await deliver({ pin: '0420' })).toMatchObject(done);
});
