import { expect, test } from 'vitest';
import { keptLog } from '../../../kept-ports.ts';
import { addStaff, addVendor, call, openHouse } from '../../house.ts';
import { openSettling } from './settling.ts';

const house = await openHouse('unapproved settlements', (settings) => ({
  ...settings,
  settlement: { ...settings.settlement, approvalAmount: 100_000 },
}));
const { ctx } = house;
const { dueAt, seal, turn, sell, list } = openSettling(house);

test('[J408] a settlement that waits for its approval is reported each day until somebody approves it', async () => {
  const vendor = await addVendor(house);
  await sell(vendor.id, 100_001);
  await seal();
  const reportsAt = async (now: number) => {
    const log = keptLog();
    await Promise.all([turn(now, { log }), turn(now, { log })]);
    return log.lines.filter(({ fields }) => 'vendorId' in fields && fields.vendorId === vendor.id);
  };
  const { alertMs } = ctx.settings.settlement;
  expect([await reportsAt(dueAt()), await reportsAt(dueAt() + alertMs - 1)]).toEqual([[], []]);
  const [draft] = await list(vendor.id);
  const about = { settlement: draft?.id, vendorId: vendor.id, amount: 100_001, currency: 'EUR', liveMode: false };
  for (const days of [1, 2]) {
    const ageS = (days * alertMs) / 1000;
    expect(await reportsAt(dueAt() + days * alertMs)).toMatchObject([{ level: 'error', fields: { ...about, ageS } }]);
    expect(await reportsAt(dueAt() + days * alertMs)).toEqual([]);
  }
  const token = await addStaff(house, 'finance');
  expect((await call(house, `POST /settlement/vendors/${draft?.id}/approve`, { token })).status).toBe(200);
  expect(await reportsAt(dueAt() + 9 * alertMs)).toEqual([]);
  expect((await list(vendor.id)).at(-1)).toMatchObject({ state: 'paid' });
});
