import { expect, test } from 'vitest';
import { GiveUpBody, triesOf } from '../../../src/domain/couriers/courier-actions.ts';

const tryAt = (at: string) => ({ reason: 'customer_unavailable', contact_tries: [{ at, channel: 'call' }] });

test('[L15] the phone of a courier may name the time of a try in any zone', () => {
  const times = ['2026-01-05T12:00:00Z', '2026-01-05T13:00:00+01:00', '2026-01-05T04:46:00-07:14'];
  for (const at of times) {
    const [first] = triesOf(GiveUpBody.parse(tryAt(at)).contact_tries);
    expect(first?.at).toBe(Date.UTC(2026, 0, 5, 12));
  }
  expect(GiveUpBody.safeParse(tryAt('2026-01-05T12:00:00')).success).toBe(false);
});
