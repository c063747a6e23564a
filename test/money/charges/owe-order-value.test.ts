import fc from 'fast-check';
import { expect, test } from 'vitest';
import { oweOrderValue } from '../../../src/money/charges/owe-order-value.ts';
import { assertSound } from '../../../src/money/ledger/entries.ts';
import { aStop } from '../../builders.ts';
import { byVendor, endOf, ENDS, funded10 } from './ends.ts';

const sold = (orderValue: number, state: 'delivered' | 'failed') => aStop(1, { orderValue, state });

test('[J190] each end books the value of the drop-offs that were delivered, if a service has collected it', () => {
  const property = fc.property(ENDS, fc.array(fc.nat(1_000_000), { minLength: 4, maxLength: 4 }), (end, values) => {
    const dropOffs = end.after.dropOffs.map((stop, at) => ({ ...stop, orderValue: values[at] ?? 0 }));
    const owed = dropOffs.reduce((sum, stop) => sum + (stop.state === 'delivered' ? stop.orderValue : 0), 0);
    const [command] = oweOrderValue({ ...end.after, dropOffs, orderValueCollectedBy: 'service' });
    expect(oweOrderValue({ ...end.after, dropOffs })).toEqual([]);
    if (command?.do !== 'post') {
      expect([command, owed]).toEqual([undefined, 0]);
      return;
    }
    assertSound(command.entry);
    const { id, vendorId } = end.after;
    expect(command.entry).toMatchObject({ key: `order_value:${id}`, vendorId, about: id });
    expect(command.entry.postings).toEqual([
      { account: 'clearing::test.EUR', amount: -owed },
      { account: `payable:${vendorId}:test.EUR`, amount: owed },
    ]);
  });
  fc.assert(property);
});

test('[J190] the value is booked with the charge, also if the delivery is canceled after a part of it', () => {
  const of = (dropOffs: ReturnType<typeof sold>[]) =>
    funded10('in_transit', { dropOffs, orderValueCollectedBy: 'service' });
  const both = [sold(5000, 'delivered'), sold(700, 'failed')];
  const kinds = (books: 'charge' | 'charge_cancel', over = {}) =>
    endOf(books, of(both), over).commands.map((command) => ('entry' in command ? command.entry.kind : command.do));
  expect(kinds('charge')).toEqual(['charge', 'order_value']);
  expect(kinds('charge_cancel', byVendor())).toEqual(['charge', 'order_value']);
  expect(kinds('charge_cancel', { state: 'canceled', ending: { by: 'staff', reason: null } })).toEqual([
    'charge',
    'order_value',
  ]);
  expect(endOf('charge_failure', of([sold(700, 'failed')])).commands).toHaveLength(1);
});
