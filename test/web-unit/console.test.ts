import { expect, test } from 'vitest';
import { EVENT_TYPES } from '../../src/domain/deliveries/events.ts';
import { ALARM_WORDS, EVENT_WORDS, REASON_WORDS, STAGE_WORDS, STATE_WORDS } from '../../web/console/words.ts';
import type { DeliveryView } from '../../src/domain/deliveries/delivery-view.ts';
import { presentDelivery } from '../../src/domain/views/present-delivery.ts';
import { NO_ETAS } from '../../src/domain/deliveries/eta.ts';
import { newId, type DeliveryId } from '../../src/domain/ids.ts';
import { countStates, matches, readView, rowsOf, writeView } from '../../web/console/filters.ts';
import { countFleet, courierState, createFleet, drawEveryMs } from '../../web/console/fleet.ts';
import { keepSecrets } from '../../web/console/keep-secrets.ts';
import { sentenceOf } from '../../web/console/refusal.ts';
import { cellsToWatch, MOST_CELLS } from '../../web/console/watched-cells.ts';
import { NO_PROOF } from '../../src/domain/proof/verification.ts';
import { aDelivery, aStop, CENTER, NOON } from '../builders.ts';
import { deliveryPins, placeOf, wayOf } from '../../web/console/map-features.ts';
import { endsOf } from '../../web/console/names.ts';

const NOTHING = { desk: 'deliveries', states: [], search: '', chosen: null, document: null } as const;

function view(over: Parameters<typeof aDelivery>[0] = {}): DeliveryView {
  return presentDelivery(aDelivery(over), NO_ETAS);
}

test('[V23] a view without links, as events carry it, keeps the links that are known', () => {
  const plain = view({ dropOffs: [aStop(1), aStop(2)] });
  const linked = {
    ...plain,
    drop_off: plain.drop_off.map((stop) => ({ ...stop, tracking_url: `https://a.example/t/${stop.stop}` })),
  };
  expect(keepSecrets(linked, { ...plain, status: 'assigned' })).toEqual({ ...linked, status: 'assigned' });
  expect(keepSecrets(undefined, plain)).toEqual(plain);
  expect(keepSecrets(plain, linked)).toEqual(linked);
});

test('[H386] a view without PINs, as events carry it, keeps a known PIN until the phone of the contact changes', () => {
  const pin = { type: 'phone_last4', sealed: null } as const;
  const plain = view({ dropOffs: [aStop(1, { verification: { ...NO_PROOF, pin } })] });
  const [stop] = plain.drop_off;
  if (stop?.verification == null) throw new Error('the stop requires no proof');
  const withPin = { ...stop.verification, pin: { ...stop.verification.pin, value: '4711' } };
  const shown = { ...plain, drop_off: [{ ...stop, verification: withPin }] };
  expect(keepSecrets(shown, plain)).toEqual(shown);
  const moved = { ...plain, drop_off: [{ ...stop, contact: { name: 'Bo', phone: '+4930000000' } }] };
  expect(keepSecrets(shown, moved)).toEqual(moved);
});

test('[V8] deliveries with an alarm come first, then the longest waiting; ended ones are left out', () => {
  const [old, young, alarmed] = [NOON, NOON + 60_000, NOON + 120_000].map((at) => view({ times: { searchingAt: at } }));
  const ended = view({ state: 'delivered' });
  const rows = rowsOf([young, ended, alarmed, old] as DeliveryView[], NOTHING, new Set([alarmed?.id ?? '']));
  expect(rows.map(({ id }) => id)).toEqual([alarmed?.id, old?.id, young?.id]);
});

test('[V8] a delivery is found by id, order id and the last digits of a phone', () => {
  // One that is given, since an id by chance may contain any digits.
  const id = 'del_01h455vb4pex5vsknk084sn02q' as DeliveryId;
  const delivery = view({ id, externalId: 'Order-77' });
  expect(matches(delivery, delivery.id.slice(-6))).toBe(true);
  expect(matches(delivery, 'order-7')).toBe(true);
  expect(matches(delivery, '3456')).toBe(true);
  // No id contains a u.
  expect(matches(delivery, 'u99')).toBe(false);
  expect(matches(delivery, '3400')).toBe(false);
});

test('[V8] the view survives in the URL', () => {
  const looked = { ...NOTHING, states: ['searching', 'assigned'] as const, search: 'a b', chosen: 'del_1' };
  expect(readView(writeView(looked))).toEqual(looked);
  const reviewing = { ...NOTHING, desk: 'documents', document: 'doc_1' } as const;
  expect(readView(writeView(reviewing))).toEqual(reviewing);
  expect(writeView(NOTHING)).toBe('');
  expect(readView('?status=delivered,nonsense,searching').states).toEqual(['searching']);
});

test('[V8] counts are of open states', () => {
  const counts = countStates([view(), view({ state: 'assigned' }), view({ state: 'failed' })]);
  expect(counts).toEqual({ scheduled: 0, searching: 1, assigned: 1, picked_up: 0, in_transit: 0 });
});

test('[V9] the view and one ring are watched, and the places beside it', () => {
  const bounds = {
    west: CENTER.lng - 0.02,
    east: CENTER.lng + 0.02,
    south: CENTER.lat - 0.02,
    north: CENTER.lat + 0.02,
  };
  const alone = cellsToWatch(bounds, []);
  expect(alone.isPartial).toBe(false);
  expect(alone.cells.length).toBeGreaterThan(7);
  expect(cellsToWatch(bounds, [{ lat: 48.1, lng: 11.5 }]).cells.length).toBe(alone.cells.length + 1);
});

test('[V8] a delivery’s way and next stop go by the order of the visits', () => {
  const dropOffs = [aStop(1, { visit: 2 }), aStop(2, { visit: 1 })];
  const shown = view({ state: 'in_transit', dropOffs }) as DeliveryView;
  expect(placeOf(shown)).toEqual(dropOffs[1]?.place);
  expect(endsOf(shown).to).toBe('1 Long Street');
  const lines = wayOf(shown, []).features.flatMap(({ geometry }) => (geometry.type === 'LineString' ? [geometry] : []));
  const drawn = lines.flatMap(({ coordinates }, at) => coordinates.slice(at === 0 ? 0 : 1));
  const stops = [shown.pickup.coordinates, dropOffs[1]?.place, dropOffs[0]?.place];
  expect(drawn).toEqual(stops.map((stop) => [stop?.lng, stop?.lat]));
});

test('[V9] a single place is watched with the ring around it', () => {
  const { lat, lng } = CENTER;
  expect(cellsToWatch({ west: lng, east: lng, south: lat, north: lat }, [CENTER]).cells.length).toBe(7);
});

test.each([
  { west: -180, east: 180, south: -85, north: 85 },
  { west: 5, east: 15, south: 47, north: 55 },
])('[V9] only the middle of a view as large as %o is watched', (bounds) => {
  const { cells, isPartial } = cellsToWatch(
    bounds,
    Array.from({ length: 900 }, (_, index) => ({ lat: index / 20, lng: 0 })),
  );
  expect(isPartial).toBe(true);
  expect(cells.length).toBe(MOST_CELLS);
});

test('[V10] an older position never replaces a newer one', () => {
  const fleet = createFleet();
  const id = newId('cou');
  fleet.take([[id, null, NOON, 52, 13, 0, 0]]);
  fleet.take([[id, null, NOON - 1, 50, 10, 0, 0]]);
  expect(fleet.couriers.get(id)?.lat).toBe(52);
});

test('[V10] a courier is idle without a delivery, busy with one, stale without positions, and finally removed', () => {
  const fleet = createFleet();
  const deliveryId = newId('del');
  expect(courierState({ at: NOON, deliveryId: null }, NOON + 60_000)).toBe('idle');
  expect(courierState({ at: NOON, deliveryId }, NOON)).toBe('busy');
  expect(courierState({ at: NOON, deliveryId }, NOON + 60_001)).toBe('stale');
  fleet.take([[newId('cou'), null, NOON, 52, 13, 0, 0]]);
  expect(countFleet(fleet, NOON)).toEqual({ idle: 1, busy: 0, stale: 0 });
  fleet.sweep(NOON + 6 * 60_000);
  expect(fleet.couriers.size).toBe(0);
});

test('[V11] a refusal is a sentence for its reason or its code, or the sentence of the server', () => {
  const problem = { detail: 'This courier cannot take a delivery now' };
  expect(sentenceOf({ ...problem, code: 'courier_unavailable', reason: 'offline' })).toMatch(/offline/);
  expect(sentenceOf({ ...problem, code: 'courier_unavailable', reason: 'new' })).toMatch(/Choose another/);
  expect(sentenceOf({ code: 'used_quote', detail: 'This quote has been used' })).toBe('This quote has been used');
});

test('[X21] the compiler refuses a console without words for an event, a state, a stage, an alarm or a reason', () => {
  // @ts-expect-error -- the words of `delivered` and of all others are missing
  const events: typeof EVENT_WORDS = {};
  // @ts-expect-error -- the words of `searching` and of all others are missing
  const states: typeof STATE_WORDS = {};
  // @ts-expect-error -- the words of `offering` and of all others are missing
  const stages: typeof STAGE_WORDS = {};
  // @ts-expect-error -- the words of `late` and of all others are missing
  const alarms: typeof ALARM_WORDS = {};
  // @ts-expect-error -- the words of `other` and of all others are missing
  const reasons: typeof REASON_WORDS = {};
  expect([events, states, stages, alarms, reasons]).toEqual([{}, {}, {}, {}, {}]);
  expect(Object.keys(EVENT_WORDS).toSorted()).toEqual(EVENT_TYPES.toSorted());
});

test('[V79] pins with an alarm lie above others, and the chosen one above all', () => {
  const [calm, alarmed, chosen] = [view(), view(), view()] as DeliveryView[];
  const { features } = deliveryPins(
    [chosen, calm, alarmed] as DeliveryView[],
    new Set([alarmed?.id ?? '']),
    chosen?.id ?? '',
  );
  const upwards = features.toSorted((a, b) => Number(a.properties?.['rank']) - Number(b.properties?.['rank']));
  expect(upwards.map(({ properties }) => properties?.['id'])).toEqual([calm?.id, alarmed?.id, chosen?.id]);
  expect(new Set(features.map(({ properties }) => properties?.['rank'])).size).toBe(3);
});

test('[V77] the fleet changes for the map only when a courier moves, becomes stale or goes', () => {
  const fleet = createFleet();
  fleet.take([[newId('cou'), null, NOON, 52, 13, 0, 0]]);
  const isChangedBy = (sweptAt: number): boolean => {
    const before = fleet.version;
    fleet.sweep(sweptAt);
    return fleet.version !== before;
  };
  const minutes = [0.5, 1, 1.1, 2, 4, 5.1, 6];
  expect(minutes.map((each) => isChangedBy(NOON + each * 60_000))).toEqual([
    false,
    false,
    true,
    false,
    false,
    true,
    false,
  ]);
});

test('[V127] the map draws moved couriers every 250 ms, and a larger fleet less often, up to every 2 s', () => {
  expect([3, 250, 1000, 9000].map(drawEveryMs)).toEqual([250, 250, 1000, 2000]);
});
