import { settleDue } from '../../../../src/dispatch/due/settle-top-ups.ts';
import { GATEWAY_MODES } from '../../../../src/money/gateways.ts';
import { sendDue } from '../../../../src/http/sandbox/send-notices.ts';
import { SANDBOX_PAYMENTS } from '../../../../src/models/sandbox/sandbox-shape.ts';
import { TOP_UPS } from '../../../../src/models/ledger/wallets/top-up-shape.ts';
import { addPoorVendor, call, type Answer, type House } from '../../house.ts';
import { createStripeGateway } from '../../../../src/process/gateways/stripe-gateway.ts';

const YES = (): boolean => true;

/** A vendor of the house who pays at the sandbox, and the work of the server in steps. */
export async function aPayer(house: House, currency = 'EUR') {
  const { ctx, mongo } = house;
  const { id: vendorId, key: token } = await addPoorVendor(house, false, { currency });
  const balance = async () => (await call(house, 'GET /wallets/balance', { token })).body;
  return {
    vendorId,
    token,
    balance,
    available: async () => Number((await balance())['available']),
    fund: (body: Record<string, unknown>, key?: string): Promise<Answer> => {
      const headers = key === undefined ? {} : { 'idempotency-key': key };
      return call(house, 'POST /wallets/fund', { token, body, headers });
    },
    find: async (id: unknown) => (await call(house, `GET /wallets/top-ups/${String(id)}`, { token })).body,
    choose: (page: unknown, wish = 'pay') => fetch(`${String(page)}/${wish}`, { method: 'POST' }),
    /** Sends the callbacks that are due, and looks at what they report. */
    work: async () => {
      await sendDue(ctx, YES);
      await Promise.all(GATEWAY_MODES.map((of) => settleDue(ctx, of, YES)));
    },
    /** Lets the time come at which the server looks at a top-up by itself. */
    makeDue: async (id: unknown) => {
      await mongo.collection(TOP_UPS).updateOne({ _id: String(id) as never }, { $set: { dueAt: 0 } });
    },
    /** Lets the time come at which the sandbox sends its next callback. */
    makeNoticeDue: async (id: unknown) => {
      await mongo.collection(SANDBOX_PAYMENTS).updateOne({ _id: String(id) }, { $set: { noticeAt: 0 } });
    },
  };
}

/** The driver of Stripe in test mode, for the fake Stripe at this address. */
export function stripeAt(url: string) {
  return createStripeGateway({
    realMs: 5000,
    homeUrl: 'https://delivery.example',
    key: 'sk_test_abcdefghijkl',
    webhookSecret: 'whsec_abcdefghijkl',
    url,
    clock: { real: { wall: () => Date.now() } },
  });
}
