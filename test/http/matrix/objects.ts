import { DELIVERIES } from '../../../src/models/deliveries/delivery-shape.ts';
import type { CourierId, VendorId } from '../../../src/domain/ids.ts';
import type { IdKind } from '../../../src/http/path-ids.ts';
import { DISPUTES } from '../../../src/models/disputes/dispute-shapes.ts';
import { aDispute } from '../../money/disputes/a-dispute.ts';
import { PAYOUTS } from '../../../src/models/ledger/payout-shapes.ts';
import { aPayout } from '../../money/payouts/a-payout.ts';
import { aDocument } from '../../models/couriers/a-document.ts';
import { bookOf } from '../../../src/money/ledger/accounts.ts';
import { aLocation } from '../../builders.ts';
import { bookArrival } from '../../../src/money/suspense/suspense.ts';
import { addRefund, aTopUpRefund } from '../../money/top-ups/a-refund.ts';
import { anAdjustment } from '../../money/wallets/an-adjustment.ts';
import { anEntry } from '../../models/audit/an-entry.ts';
import { aSuspense } from '../../money/suspense/a-suspense.ts';
import { aTopUp } from '../../money/top-ups/a-top-up.ts';
import { settleOnce } from '../../money/settlement/an-account.ts';
import { anInvoice, issue } from '../../money/billing/an-invoice.ts';
import { chargeOf } from '../../money/billing/charges.ts';
import { addDelivery, call, type House } from '../house.ts';
import type { People } from './people.ts';

/** An object and its owners. Staff and services reach every object that has no owner among staff. */
export type Thing = {
  readonly id: string;
  readonly vendorId?: VendorId;
  /** Absent if the object is the same in both modes. */
  readonly liveMode?: boolean;
  readonly courierId?: CourierId;
  /** The token of the only account that reaches it. */
  readonly token?: string;
};

/** Three objects of a kind: of the vendor in test mode or of the courier, of another account, and of the other mode. */
type Things = { readonly own: Thing; readonly foreign: Thing; readonly otherMode: Thing };

/** How an object of each kind is made. A kind of id that belongs to nobody has no row. */
export const MAKERS: { readonly [K in IdKind]?: (house: House, people: People) => Promise<Things> } = {
  delivery: async (house, { vendor, otherVendor, courier, otherCourier }) => {
    const make = async (token: string, vendorId: VendorId, liveMode: boolean, courierId: CourierId): Promise<Thing> => {
      const id = await addDelivery(house, token);
      await house.mongo.collection(DELIVERIES).updateOne({ _id: id }, { $set: { courierId } });
      return { id, vendorId, liveMode, courierId };
    };
    return {
      own: await make(vendor.key, vendor.id, false, courier.id),
      foreign: await make(otherVendor.key, otherVendor.id, false, otherCourier.id),
      otherMode: await make(vendor.liveKey, vendor.id, true, otherCourier.id),
    };
  },
  courier: async (_house, { courier, otherCourier }) => {
    const thing = ({ id }: { id: CourierId }): Thing => ({ id, courierId: id });
    return { own: thing(courier), foreign: thing(otherCourier), otherMode: thing(otherCourier) };
  },
  key: async ({ ctx }, { vendor, otherVendor }) => {
    const make = async (vendorId: VendorId, liveMode: boolean): Promise<Thing> => {
      const { id } = await ctx.credentials.addVendorKey(vendorId, liveMode);
      return { id, vendorId, liveMode };
    };
    return {
      own: await make(vendor.id, false),
      foreign: await make(otherVendor.id, false),
      otherMode: await make(vendor.id, true),
    };
  },
  session: async (house, { courier, otherCourier, staff }) => {
    const make = async (token: string): Promise<Thing> => {
      const { body } = await call(house, 'GET /auth/sessions', { token });
      return { id: String(body.data?.[0]?.['id']), token };
    };
    return {
      own: await make(courier.token),
      foreign: await make(otherCourier.token),
      otherMode: await make(staff.admin),
    };
  },
  link: async (house, { vendor, otherVendor }) => {
    const make = async (token: string): Promise<Thing> => {
      const id = await addDelivery(house, token);
      const { body } = await call(house, `GET /deliveries/${id}/tracking-url`, { token });
      return { id: String(body['url']).split('/').at(-1) ?? '' };
    };
    return { own: await make(vendor.key), foreign: await make(otherVendor.key), otherMode: await make(vendor.liveKey) };
  },
  webhook: async (house, { vendor, otherVendor }) => {
    const make = async (token: string, vendorId: VendorId, liveMode: boolean): Promise<Thing> => {
      const body = { url: 'http://127.0.0.1:9/', events: ['*'] };
      const made = await call(house, 'POST /webhooks', { token, body });
      return { id: String(made.body['id']), vendorId, liveMode };
    };
    return {
      own: await make(vendor.key, vendor.id, false),
      foreign: await make(otherVendor.key, otherVendor.id, false),
      otherMode: await make(vendor.liveKey, vendor.id, true),
    };
  },
  event: async (house, { vendor, otherVendor }) => {
    const make = async (token: string, vendorId: VendorId, liveMode: boolean): Promise<Thing> => {
      const id = await addDelivery(house, token);
      const { body } = await call(house, `GET /events?delivery_id=${id}`, { token });
      return { id: String(body.data?.[0]?.['id']), vendorId, liveMode };
    };
    return {
      own: await make(vendor.key, vendor.id, false),
      foreign: await make(otherVendor.key, otherVendor.id, false),
      otherMode: await make(vendor.liveKey, vendor.id, true),
    };
  },
  location: async ({ ctx }, { vendor, otherVendor }) => {
    const make = async (vendorId: VendorId): Promise<Thing> => {
      const location = aLocation({ vendorId });
      await ctx.vendors.addLocation(location);
      return { id: location.id, vendorId };
    };
    // Both modes of a vendor have the same locations.
    const own = await make(vendor.id);
    return { own, foreign: await make(otherVendor.id), otherMode: own };
  },
  vendor: async (_house, { vendor, otherVendor }) => ({
    own: { id: vendor.id },
    foreign: { id: otherVendor.id },
    otherMode: { id: vendor.id },
  }),
  document: async ({ ctx }, { courier, otherCourier }) => {
    const make = async (courierId: CourierId): Promise<Thing> => {
      const document = aDocument({ courierId });
      await ctx.documents.add(document, null);
      return { id: document.id, courierId };
    };
    const own = await make(courier.id);
    return { own, foreign: await make(otherCourier.id), otherMode: own };
  },
  topUp: async (house, { vendor, otherVendor }) => {
    const make = async (vendorId: VendorId, liveMode: boolean): Promise<Thing> => {
      const topUp = aTopUp({ vendorId, liveMode });
      await house.ctx.topUps.add(topUp, 1);
      return { id: topUp.id, vendorId, liveMode };
    };
    return {
      own: await make(vendor.id, false),
      foreign: await make(otherVendor.id, false),
      otherMode: await make(vendor.id, true),
    };
  },
  transaction: async ({ ctx }, { vendor, otherVendor }) => {
    const make = async (vendorId: VendorId, liveMode: boolean): Promise<Thing> => {
      const command = chargeOf({ vendorId, book: bookOf(liveMode, 'EUR') });
      await ctx.ledger.post(command, null);
      const { items } = await ctx.transactions.list(
        { vendorId, liveMode, kinds: ['charge'] },
        { limit: 1, after: null },
      );
      return { id: items[0]?.id ?? '', vendorId, liveMode };
    };
    return {
      own: await make(vendor.id, false),
      foreign: await make(otherVendor.id, false),
      otherMode: await make(vendor.id, true),
    };
  },
  invoice: async ({ ctx, mongo }, { vendor, otherVendor }) => {
    const make = async (vendorId: VendorId, liveMode: boolean): Promise<Thing> => {
      const { id } = await issue({ invoices: ctx.invoices, mongo }, anInvoice({ vendorId, liveMode }));
      return { id, vendorId, liveMode };
    };
    return {
      own: await make(vendor.id, false),
      foreign: await make(otherVendor.id, false),
      otherMode: await make(vendor.id, true),
    };
  },
  settlement: async ({ ctx, mongo }, { vendor, otherVendor }) => {
    const make = async (vendorId: VendorId, liveMode: boolean): Promise<Thing> => {
      const { id } = await settleOnce(
        { ...ctx, mongo },
        { vendorId, liveMode, book: bookOf(liveMode, 'EUR') },
        20_000_000,
      );
      return { id, vendorId, liveMode };
    };
    return {
      own: await make(vendor.id, false),
      foreign: await make(otherVendor.id, false),
      otherMode: await make(vendor.id, true),
    };
  },
  dispute: async ({ mongo }, { vendor, otherVendor }) => {
    const make = async (vendorId: VendorId, liveMode: boolean): Promise<Thing> => {
      const { id, amount, ...rest } = aDispute({ vendorId, liveMode });
      await mongo.collection(DISPUTES).insertOne({ _id: id, ...rest, amount: BigInt(amount), refunded: null });
      return { id, vendorId, liveMode };
    };
    return {
      own: await make(vendor.id, false),
      foreign: await make(otherVendor.id, false),
      otherMode: await make(vendor.id, true),
    };
  },
  payout: ({ mongo }) =>
    threeOf(async () => {
      const { id, amount, ...rest } = aPayout({ state: 'awaiting_approval', sealedDetails: 'sealed', dueAt: null });
      await mongo.collection(PAYOUTS).insertOne({ _id: id, amount: BigInt(amount), ...rest });
      return id;
    }),
  topUpRefund: ({ ctx }) =>
    threeOf(async () => {
      const refund = aTopUpRefund({ dueAt: null });
      await addRefund(ctx, refund);
      return refund.id;
    }),
  adjustment: ({ ctx }) =>
    threeOf(async () => {
      const adjustment = anAdjustment();
      await ctx.adjustments.add(adjustment, anEntry());
      return adjustment.id;
    }),
  suspense: ({ ctx }) =>
    threeOf(async () => {
      const money = aSuspense();
      await ctx.suspense.add(money, bookArrival(money));
      return money.id;
    }),
  staff: async (house, { staff }) => {
    const { body } = await call(house, 'GET /staff', { token: staff.admin });
    const [one, two] = body.data ?? [];
    const thing = { id: String(one?.['id']) };
    return { own: thing, foreign: { id: String(two?.['id']) }, otherMode: thing };
  },
};

/** Three objects that belong to no vendor. */
async function threeOf(make: () => Promise<string>) {
  return { own: { id: await make() }, foreign: { id: await make() }, otherMode: { id: await make() } };
}
