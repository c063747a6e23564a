import { expect, test } from 'vitest';
import { startPaying } from '../../../../src/dispatch/due/pay-out.ts';
import { startSettling } from '../../../../src/dispatch/due/settle-top-ups.ts';
import { PAYOUTS } from '../../../../src/models/ledger/payout-shapes.ts';
import { TOP_UPS } from '../../../../src/models/ledger/wallets/top-up-shape.ts';
import type { GatewayName } from '../../../../src/money/gateways.ts';
import type { Gateway } from '../../../../src/ports/money/gateways.ts';
import type { Led } from '../../../../src/work/hold-lease.ts';
import { aPayout } from '../../../money/payouts/a-payout.ts';
import { aTopUp } from '../../../money/top-ups/a-top-up.ts';
import { until } from '../../../until.ts';
import { openHouse } from '../../house.ts';

const house = await openHouse('silent_gateways');
/** More than one turn asks about. */
const MANY = 300;

/** The house with a gateway that answers nothing until it is released, and with one that answers at once. */
function withSilentGateway() {
  const [sandbox] = house.ctx.gateways;
  if (sandbox === undefined) throw new Error('the house has the sandbox');
  let [release, waiting] = [(): void => undefined, 0];
  const released = new Promise<void>((resolve) => (release = resolve));
  const wait = async (name: GatewayName): Promise<void> => {
    if (name !== 'stripe') return;
    waiting += 1;
    await released;
  };
  const named = (name: GatewayName): Gateway => ({
    ...sandbox,
    name,
    verify: async () => {
      await wait(name);
      return { is: 'declined' };
    },
    transfers: {
      pays: () => true,
      prepare: () => Promise.reject(new Error('each transfer is known')),
      find: async () => {
        await wait(name);
        return { status: 'success', amount: aPayout().amount, currency: 'EUR', reason: null };
      },
      list: () => Promise.reject(new Error('not called')),
    },
  });
  return { ctx: { ...house.ctx, gateways: [named('stripe'), named('sandbox')] }, waiting: () => waiting, release };
}

/** Runs workers until the check is true while a gateway is silent, and then ends them. */
async function runUntil(start: (ctx: House['ctx']) => readonly Led[], check: () => Promise<boolean>): Promise<void> {
  const { ctx, waiting, release } = withSilentGateway();
  const workers = start(ctx);
  try {
    await until(async () => waiting() > 0 && (await check()), 20_000);
  } finally {
    release();
    await Promise.all(workers.map((worker) => worker.stop()));
  }
}
type House = typeof house;

test('[J260] a gateway that does not answer delays only its own top-ups', async () => {
  const rows = house.mongo.collection(TOP_UPS);
  const rowOf = (gateway: GatewayName, dueAt: number) => {
    const { id: _id, amount, chargebacks: _none, ...rest } = aTopUp({ gateway });
    return { _id, ...rest, amount: BigInt(amount), looks: 0, dueAt };
  };
  await rows.insertMany(Array.from({ length: MANY }, () => rowOf('stripe', 1)));
  const other = rowOf('sandbox', 2);
  await rows.insertOne(other);
  await runUntil(startSettling, async () => (await house.ctx.topUps.find(other._id))?.state === 'failed');
  expect(await rows.countDocuments({ gateway: 'stripe', state: 'pending' })).toBeGreaterThan(0);
});

test('[J260] a gateway that does not answer delays only its own payouts', async () => {
  const rows = house.mongo.collection(PAYOUTS);
  const rowOf = (gateway: GatewayName, dueAt: number) => {
    const { id: _id, amount, ...rest } = aPayout({ gateway, state: 'processing', dueAt });
    return { _id, ...rest, amount: BigInt(amount) };
  };
  await rows.insertMany(Array.from({ length: MANY }, () => rowOf('stripe', 1)));
  const other = rowOf('sandbox', 2);
  await rows.insertOne(other);
  await runUntil(startPaying, async () => (await house.ctx.payouts.find(other._id))?.state === 'paid');
  expect(await rows.countDocuments({ gateway: 'stripe', state: 'processing' })).toBeGreaterThan(0);
});
