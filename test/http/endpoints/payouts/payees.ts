import { advancePayouts, makeDue } from '../../../../src/dispatch/due/pay-out.ts';
import { newId, type CourierId, type PayoutId } from '../../../../src/domain/ids.ts';
import { bookOf, courierAccount } from '../../../../src/money/ledger/accounts.ts';
import { makePayouts } from '../../../../src/money/payouts/make-payouts.ts';
import type { Payout, PayoutBatch } from '../../../../src/money/payouts/payout.ts';
import { requestBatch } from '../../../../src/money/payouts/request-batch.ts';
import type { Transfer, TransferOrder } from '../../../../src/money/payouts/transfer.ts';
import type { Gateway } from '../../../../src/ports/money/gateways.ts';
import { GATEWAY_MODES } from '../../../../src/money/gateways.ts';
import type { Turn } from '../../../../src/work/hold-lease.ts';
import { earn } from '../../../money/payouts/an-earning.ts';
import { addCourier, call, openHouse } from '../../house.ts';

export const HOUR_MS = 3_600_000;
export const isOurs = (): boolean => true;

/** Makes a turn of all workers of payouts. */
export function payDue(ctx: Parameters<typeof makeDue>[0]): Turn {
  return async (ownsLease) => {
    await makeDue(ctx)(ownsLease);
    await Promise.all(GATEWAY_MODES.map((of) => advancePayouts(ctx, of)(ownsLease)));
  };
}

/** A house with couriers who are paid. */
export async function openPayees(name: string) {
  const house = await openHouse(name, (settings) => ({
    ...settings,
    topUps: { ...settings.topUps, requestRealMs: 5000 },
  }));
  const { ctx } = house;
  /** The same context some time later. */
  const later = (ms: number) => ({ ...ctx, clock: { ...ctx.clock, now: () => ctx.clock.now() + ms } });
  const earned = async (id: CourierId, currency: string): Promise<number> =>
    (await ctx.ledger.balance(courierAccount('earnings', id, bookOf(false, currency)))).posted;
  const stateOf = async (id: PayoutId): Promise<Payout['state'] | undefined> => (await ctx.payouts.find(id))?.state;
  const askFor = (currency: string, token: string) =>
    call(house, 'POST /payouts/process', { token, body: { currency } });

  /** The batch of today, of a currency that only one test has. */
  const batchOf = (currency: string, gateways = ctx.gateways): Promise<PayoutBatch> =>
    requestBatch(
      { ...ctx, gateways },
      { liveMode: false, currency, date: null, askedAt: ctx.clock.now() },
      { type: 'system', id: null },
    );

  /** A courier of a currency that only this test has, so that it has a batch of its own. */
  async function earnerOf(currency: string, mode: string): Promise<CourierId> {
    const { id } = await addCourier(house);
    const details = {
      holderName: 'Ada',
      country: 'NG',
      form: 'local',
      number: `06900000${mode}`,
      bankCode: '044',
    } as const;
    const entry = ctx.audit.draft({
      action: 'bank_account.set',
      objectId: id,
      vendorId: null,
      liveMode: false,
      changes: {},
    });
    const of = { courierId: id, liveMode: false, currency, country: 'NG', form: 'local', last4: '0000' } as const;
    const times = { usableAt: 0, updatedAt: 0, version: 1 };
    await ctx.bankAccounts.put({ ...of, ...times, sealedDetails: ctx.vault.seal(JSON.stringify(details)) }, entry);
    await earn(ctx, id, { pay: 900, currency });
    return id;
  }

  /** Makes the payout of a courier, and does not send it yet. */
  async function born(id: CourierId, currency: string): Promise<PayoutId> {
    await makePayouts(ctx, await batchOf(currency));
    const { items } = await ctx.payouts.list({ courierId: id }, { limit: 1, after: null });
    return items[0]?.id ?? newId('pay');
  }

  /** A gateway whose transfers the test decides. It carries out each reference once. */
  function aGateway(answer: (order: TransferOrder) => Promise<Transfer>) {
    const made = new Map<PayoutId, Transfer>();
    let sends = 0;
    const transfers: NonNullable<Gateway['transfers']> = {
      pays: () => true,
      prepare: async (order) => async () => {
        sends += 1;
        const { reference, amount, currency } = order;
        made.set(reference, made.get(reference) ?? { status: 'success', amount, currency, reason: null });
        return answer(order);
      },
      find: async (reference) => made.get(reference) ?? 'absent',
      list: async () => ({ items: [], next: null }),
    };
    const gateways = ctx.gateways.map((gateway) => ({ ...gateway, transfers }));
    return { made, transfers, sends: () => sends, ctx: { ...ctx, gateways } };
  }

  return { house, ctx, later, earned, stateOf, askFor, batchOf, earnerOf, born, aGateway };
}
