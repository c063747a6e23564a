import { beforeAll } from 'vitest';
import { advanceRefunds } from '../../../../src/dispatch/due/pay-out.ts';
import { newId, type TopUpId, type TopUpRefundId } from '../../../../src/domain/ids.ts';
import { ENTRIES } from '../../../../src/models/ledger/ledger-shapes.ts';
import type { Transfer } from '../../../../src/money/payouts/transfer.ts';
import type { RefundOrder } from '../../../../src/money/top-ups/top-up-refund.ts';
import type { GatewayRefunds } from '../../../../src/ports/money/gateways.ts';
import { addStaff, call, openHouse, type Answer } from '../../house.ts';
import { aPayer } from './paying.ts';

export const HOUR_MS = 3_600_000;
/** The amount of each top-up. */
export const PAID = 5000;
/** A million of most currencies, in minor units. */
export const MILLION = 100_000_000;
const isOurs = (): boolean => true;

/** A house with vendors who have topped up, and two members of finance who refund them. */
export async function openRefunds(name: string) {
  const house = await openHouse(name, (settings) => ({
    ...settings,
    topUps: { ...settings.topUps, requestRealMs: 5000, mostAmount: 10 * MILLION },
  }));
  const { ctx } = house;
  /** Opened in `beforeAll`, because a house takes requests only then. */
  const staff = { finance: '', other: '' };
  beforeAll(async () => {
    [staff.finance, staff.other] = [await addStaff(house, 'finance'), await addStaff(house, 'finance')];
  });

  /** A vendor whose wallet has one top-up. */
  async function toppedUp(amount = PAID) {
    const payer = await aPayer(house);
    const { body } = await payer.fund({ amount });
    await payer.choose(body['authorization_url']);
    await payer.work();
    return { payer, topUpId: String(body['id']) as TopUpId };
  }

  /** Asks for a refund, and again with the same reference while the server is busy. */
  async function refund(topUpId: string, body: object = {}, token = staff.finance): Promise<Answer> {
    const asked = { reference: newId('req'), reason: 'the shop has closed', ...body };
    for (;;) {
      const answer = await call(house, `POST /wallets/top-ups/${topUpId}/refunds`, { token, body: asked });
      if (answer.status !== 503) return answer;
    }
  }
  const read = async (id: unknown): Promise<Record<string, unknown>> =>
    (await call(house, `GET /wallets/refunds/${String(id)}`, { token: staff.finance })).body;
  /** The work of the server on refunds, some time later. */
  const work = (afterMs = 0, gateways = ctx.gateways) =>
    advanceRefunds(
      { ...ctx, gateways, clock: { ...ctx.clock, now: () => ctx.clock.now() + afterMs } },
      { gateway: 'sandbox', liveMode: false },
    )(isOurs);
  const kindsOf = async (about: unknown): Promise<string[]> => {
    const entries = house.mongo.collection(ENTRIES).find({ about: String(about) });
    return (await entries.toArray()).map(({ kind }) => kind).toSorted();
  };

  /** A gateway whose refunds the test decides. It carries out each reference once. */
  function aGateway(answer: (order: RefundOrder) => Promise<Transfer>) {
    const made = new Map<TopUpRefundId, Transfer>();
    let sends = 0;
    const refunds: GatewayRefunds = {
      prepare: async (order) => async () => {
        sends += 1;
        const { reference, amount, currency } = order;
        made.set(reference, made.get(reference) ?? { status: 'success', amount, currency, reason: null });
        return answer(order);
      },
      find: async ({ reference }) => made.get(reference) ?? 'absent',
    };
    return { made, sends: () => sends, gateways: ctx.gateways.map((gateway) => ({ ...gateway, refunds })) };
  }

  return { house, ctx, staff, toppedUp, refund, read, work, kindsOf, aGateway };
}
