import { expect, test } from 'vitest';
import type { TrackDelivery } from '../../src/realtime/protocol.ts';
import { keepPromise, minutesLate } from '../../web/track/promise.ts';
import { formatAgo } from '../../web/shared/format.ts';
import {
  beforeWords,
  hasEnded,
  isStale,
  lateWords,
  sayingOf,
  showsCourier,
  withoutPast,
} from '../../web/track/saying.ts';
import { stepsOf } from '../../web/track/steps-of.ts';
import { kindWords } from '../../web/track/words.ts';

const NOON = Date.UTC(2026, 0, 5, 12);
const iso = (minutes: number): string => new Date(NOON + minutes * 60_000).toISOString();
const ETA = { at: iso(20), lower_at: iso(18), upper_at: iso(24) };

function delivery(over: Partial<TrackDelivery> = {}): TrackDelivery {
  return {
    kind: 'delivery',
    status: 'in_transit',
    stage: 'en_route_to_drop_off',
    sequence: 5,
    vendor: { name: 'Demo Kitchen', accent: '#0b6e4f', logo: null },
    courier: { first_name: 'Ada', vehicle_type: 'bicycle' },
    pickup: { lat: 52.5, lng: 13.4 },
    drop_off: { lat: 52.51, lng: 13.41, instructions: null },
    stops_before: 0,
    pin: null,
    eta: ETA,
    steps: { ordered_at: iso(0), assigned_at: iso(2), picked_up_at: iso(8), in_transit_at: iso(9), ended_at: null },
    reason: null,
    delay_reason: null,
    rating: null,
    clock: { now: NOON, scale: 1 },
    ...over,
  };
}

const SAID: [Partial<TrackDelivery>, RegExp, RegExp | null][] = [
  [{ status: 'searching', stage: null, courier: null }, /^Looking for a courier$/, /^Arriving /],
  [{ status: 'scheduled', stage: null, courier: null }, /^Planned/, /^Arriving /],
  [{ status: 'assigned', stage: 'en_route_to_pickup' }, /^Arriving /, /^Ada is going to collect it$/],
  [{ status: 'assigned', stage: 'arrived_at_pickup' }, /^Arriving /, /^Ada is at the shop$/],
  [{ status: 'picked_up', stage: null }, /^Arriving /, /^Ada has collected it$/],
  [{}, /^Arriving /, /^Ada is on the way to you$/],
  [{ stage: 'arrived_at_drop_off' }, /^Ada is here$/, null],
  [{ stops_before: 1 }, /^Arriving /, /^Ada is on the way to you$/],
  [
    { status: 'failed', stage: null, eta: null, reason: 'customer_unavailable' },
    /^Could not be delivered: nobody was there$/,
    /Demo Kitchen/,
  ],
  [
    { status: 'failed', stage: null, eta: null, reason: 'something_new' },
    /^Could not be delivered: something went wrong/,
    /Demo Kitchen/,
  ],
  [
    { status: 'canceled', stage: null, eta: null, reason: 'no_courier_available' },
    /^Canceled$/,
    /^No courier was free in time\. /,
  ],
];

test.each(SAID)('[V3] %o is described in words', (over, headline, detail) => {
  const said = sayingOf(delivery(over), 'en-GB');
  expect(said.headline).toMatch(headline);
  if (detail === null) expect(said.detail).toBeNull();
  else expect(said.detail).toMatch(detail);
});

test('[V3] a delivered delivery is shown with its time', () => {
  const steps = { ...delivery().steps, ended_at: iso(22) };
  const { headline } = sayingOf(delivery({ status: 'delivered', stage: null, eta: null, steps }), 'en-GB');
  // In the time zone of the reader, and some lie half an hour apart.
  const minutes = `${new Date(iso(22)).getMinutes()}`.padStart(2, '0');
  expect(headline).toMatch(new RegExp(`^Delivered at \\d+:${minutes}`));
});

test('[V136] the page says that the arrival is not known, who can help, and that the promise has passed', () => {
  const unknown = delivery({ eta: null, clock: { now: NOON + 3_600_000, scale: 1 } });
  expect(sayingOf(unknown)).toEqual({
    headline: 'Ada is on the way to you',
    detail: 'The arrival time is not known at the moment. Questions? Demo Kitchen can help you.',
  });
  expect(sayingOf(delivery({ status: 'searching', stage: null, courier: null, eta: null })).headline).toBe(
    'Looking for a courier',
  );
  expect(minutesLate(keepPromise(null, delivery()), unknown)).toBe(36);
});

test('[V137] an arrival that has passed is not shown, and an old position says where the courier was', () => {
  const last = Date.parse(ETA.upper_at);
  expect(withoutPast(delivery(), last)).toEqual(delivery());
  expect(withoutPast(delivery(), last + 1).eta).toBeNull();
  expect([isStale(NOON, NOON + 60_000), isStale(NOON, NOON + 60_001)]).toEqual([false, true]);
  expect(formatAgo(7300, 'en-GB')).toBe('2 hr ago');
});

test('[V24] the page names the day if it is not today', () => {
  const eta = (days: number) => {
    const at = (minutes: number) => iso(days * 24 * 60 + minutes);
    return { at: at(20), lower_at: at(18), upper_at: at(24) };
  };
  const planned = { status: 'scheduled', stage: null, courier: null } as const;
  const arriving = (days: number) => sayingOf(delivery({ ...planned, eta: eta(days) }), 'en-GB').detail ?? '';
  expect(arriving(0)).toMatch(/^Arriving \d/);
  expect(arriving(1)).toMatch(/^Arriving tomorrow, \d/);
  expect(arriving(3)).toMatch(/^Arriving Thu,? 8 Jan, \d/);
  const steps = { ...delivery().steps, ended_at: iso(-24 * 60) };
  const { headline } = sayingOf(delivery({ status: 'delivered', stage: null, eta: null, steps }), 'en-GB');
  expect(headline).toMatch(/^Delivered yesterday at \d/);
});

test('[V3] the courier is shown from the pickup to the end only', () => {
  const shown = (['searching', 'assigned', 'picked_up', 'in_transit', 'delivered'] as const).filter((status) =>
    showsCourier(delivery({ status })),
  );
  expect(shown).toEqual(['picked_up', 'in_transit']);
  expect(hasEnded(delivery({ status: 'failed' }))).toBe(true);
});

test('[V23] a recipient sees the number of stops before them, and the courier when they are next', () => {
  const second = delivery({ stops_before: 1 });
  expect(beforeWords(second)).toBe('1 stop before you. The map shows Ada when you are next.');
  expect(beforeWords(delivery({ status: 'assigned', stage: null, stops_before: 3 }))).toBe('3 stops before you.');
  expect(beforeWords(delivery({ courier: null, stops_before: 2 }))).toBe(
    '2 stops before you. The map shows the courier when you are next.',
  );
  expect(beforeWords(delivery())).toBeNull();
  expect(beforeWords(delivery({ status: 'delivered', stops_before: 1 }))).toBeNull();
  expect([showsCourier(second), showsCourier(delivery())]).toEqual([false, true]);
});

test('[V4] the first promise stands, and a late arrival is explained', () => {
  const kept = keepPromise(null, delivery());
  const later = { at: iso(30), lower_at: iso(27), upper_at: iso(36) };
  expect(keepPromise(kept, delivery({ eta: later }))).toBe(kept);
  // A delivery that is put off before its search is not late: the vendor has planned it for another time.
  const planned = keepPromise(kept, delivery({ status: 'scheduled', eta: later }));
  expect([planned, minutesLate(planned, delivery({ eta: later }))]).toEqual([{ until: Date.parse(later.upper_at) }, 0]);
  expect(minutesLate(kept, delivery({ eta: { ...later, at: iso(26) } }))).toBe(0);
  expect(minutesLate(kept, delivery({ eta: later }))).toBe(6);
  expect(lateWords(delivery({ status: 'assigned', stage: 'arrived_at_pickup' }))).toBe('waiting at the shop');
  expect(lateWords(delivery({ status: 'searching', stage: null }))).toBe('still looking for a courier');
});

test('[V5] the page shows finished steps, the current one and later ones', () => {
  const marks = stepsOf(delivery({ status: 'picked_up' })).map(({ mark }) => mark);
  expect(marks).toEqual(['done', 'done', 'done', 'done', 'current']);
  const sought = stepsOf(
    delivery({ status: 'searching', steps: { ...delivery().steps, picked_up_at: null, in_transit_at: null } }),
  );
  expect(sought.map(({ mark }) => mark)).toEqual(['done', 'current', 'open', 'open', 'open']);
});

test('[V5] a delivery that ended early shows only the steps that happened', () => {
  const steps = { ...delivery().steps, picked_up_at: null, in_transit_at: null, ended_at: iso(6) };
  const shown = stepsOf(delivery({ status: 'canceled', steps }));
  expect(shown.map(({ key, mark }) => `${key} ${mark}`)).toEqual(['ordered done', 'found done', 'ended broken']);
});

test('[V131] a return is said to come back, and has only the steps that it goes through', () => {
  const steps = { ordered_at: iso(0), assigned_at: null, picked_up_at: null, in_transit_at: iso(0), ended_at: null };
  const onTheWay = delivery({ kind: 'return', steps });
  expect(stepsOf(onTheWay).map(({ label, mark }) => `${label}: ${mark}`)).toEqual([
    'On the way: done',
    'Returned: current',
  ]);
  expect(sayingOf(onTheWay, 'en-GB')).toEqual({
    headline: expect.stringMatching(/^Returning \d/),
    detail: 'Ada is on the way back to Demo Kitchen',
  });
  expect(sayingOf({ ...onTheWay, stage: 'arrived_at_drop_off' }).headline).toBe('Ada is at Demo Kitchen');
  const { start, end } = kindWords(onTheWay);
  expect([start('Demo Kitchen').label, end('Demo Kitchen').label]).toEqual(['Start of the way back', 'Demo Kitchen']);
  const ended = delivery({ kind: 'return', status: 'delivered', eta: null, steps: { ...steps, ended_at: iso(22) } });
  expect(stepsOf(ended).map(({ at }) => at)).toEqual([Date.parse(iso(0)), Date.parse(iso(22))]);
  expect(sayingOf(ended, 'en-GB')).toEqual({ headline: expect.stringMatching(/^Returned at \d/), detail: null });
  const failed = delivery({ kind: 'return', status: 'failed', eta: null, reason: 'damaged' });
  expect(sayingOf(failed).headline).toBe('Could not be returned: it was damaged');
  expect(stepsOf(failed).at(-1)?.label).toBe('Not returned');
});
