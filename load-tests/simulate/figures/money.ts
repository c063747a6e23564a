// Compares the money that was booked with what users saw of each delivery. Pure.
import type { TrueDelivery } from './truth.ts';
import { TERMINAL } from './verdict.ts';

/** The money of a delivery as it is stored, minor units. */
export type TrueMoney = {
  readonly fee: number;
  readonly tip: number;
  /** The part of the fee that the platform pays. */
  readonly platform: number;
  /** Basis points of the price without its tax, and of a fee without its tax. */
  readonly taxRateBp: number;
  readonly courierShareBp: number;
  /** The vendor's charge by the delivery itself; null while it is open. */
  readonly charged: number | null;
  /** The state of its hold; null for none. */
  readonly hold: string | null;
  /** The amounts that its end has booked, by kind and owner of the account. Empty if it has booked none. */
  readonly postings: readonly { readonly kind: string; readonly owner: string; readonly amount: number }[];
};

/** The rules of waiting, as the servers have them. */
export type WaitRules = { readonly waitFreeMs: number; readonly waitPerMinFee: number; readonly mostWaitMin: number };

export type MoneyFigures = {
  /** Deliveries with a charge, the sum that vendors paid and the sum that couriers earned. */
  readonly charged: number;
  readonly paid: number;
  readonly earned: number;
  /** Entries of the whole ledger. */
  readonly entries: number;
  /** A sentence for each amount that is wrong. */
  readonly faults: readonly string[];
};

type Material = {
  readonly truth: readonly TrueDelivery[];
  readonly money: ReadonlyMap<string, TrueMoney>;
  readonly check: { readonly entries: number; readonly faults: readonly string[] };
  readonly rules: WaitRules;
  /** When the goods of a delivery were ready, service time in ms. */
  readonly readyAt: (delivery: TrueDelivery) => number;
};

const MINUTE_MS = 60_000;
const WHOLE_BP = 10_000;

/** Judges the charges of all deliveries, and takes over what the check of the ledger found. */
export function judgeMoney({ truth, money, check, rules, readyAt }: Material): MoneyFigures {
  const charges = truth.map((delivery) => ({ delivery, money: money.get(delivery.deliveryId) }));
  const of = (kinds: readonly string[]): number =>
    charges.reduce((sum, one) => sum + (one.money === undefined ? 0 : sumOf(one.money, kinds)), 0);
  const wrong = charges.flatMap(({ delivery, money: own }) => {
    if (own === undefined) return [`${delivery.deliveryId} has no money`];
    const waitMin = waitOf(delivery, readyAt(delivery), rules);
    return faultsOf(delivery, own, waitMin * rules.waitPerMinFee).map((fault) => `${delivery.deliveryId} ${fault}`);
  });
  return {
    charged: charges.filter((one) => (one.money?.postings.length ?? 0) > 0).length,
    paid: 0 - of(['wallet', 'receivable']),
    earned: of(['earnings']),
    entries: check.entries,
    faults: [...check.faults, ...wrong],
  };
}

function faultsOf({ status, events }: TrueDelivery, money: TrueMoney, waitFee: number): string[] {
  const { fee, tip, platform, charged, hold, postings } = money;
  if (!TERMINAL.includes(status)) return [];
  const paid = 0 - sumOf(money, ['wallet', 'receivable']);
  const pay = payOf(fee, money) + payOf(waitFee, money) + tip;
  const isDelivered = status === 'delivered';
  const courier = events.findLast(({ type }) => type === 'courier.assigned')?.courierId ?? null;
  const earning = postings.filter(({ kind }) => kind === 'earnings');
  const checks: readonly (readonly [boolean, string])[] = [
    [hold === 'open', 'has ended and its money is still held'],
    [charged !== paid, `says that ${charged} was charged, but the vendor paid ${paid}`],
    [isDelivered && paid !== fee - platform + waitFee + tip, `cost ${paid}, not ${fee - platform + waitFee + tip}`],
    [isDelivered && sumOf(money, ['earnings']) !== pay, `paid its courier ${sumOf(money, ['earnings'])}, not ${pay}`],
    [earning.some(({ owner }) => owner !== courier), 'paid another courier than the one who carried it'],
    [courier === null && postings.length > 0, 'had no courier and was charged'],
  ];
  return checks.flatMap(([isWrong, fault]) => (isWrong ? [fault] : []));
}

function sumOf({ postings }: TrueMoney, kinds: readonly string[]): number {
  return postings.reduce((sum, { kind, amount }) => sum + (kinds.includes(kind) ? amount : 0), 0);
}

/** The minutes that the last courier waited at the pickup beyond those that are free. */
function waitOf({ events }: TrueDelivery, readyAt: number, { waitFreeMs, mostWaitMin }: WaitRules): number {
  const pickedUp = events.find(({ type }) => type === 'picked_up');
  const arrived = events.findLast(({ type }) => type === 'courier.arrived_pickup');
  const assigned = events.findLast(({ type }) => type === 'courier.assigned');
  if (pickedUp === undefined || arrived === undefined || arrived.sequence < (assigned?.sequence ?? 0)) return 0;
  const waitedMs = pickedUp.createdAt - Math.max(arrived.createdAt, readyAt) - waitFreeMs;
  return Math.min(mostWaitMin, Math.max(0, Math.ceil(waitedMs / MINUTE_MS)));
}

/** The courier's share of a price without its tax. Each step is rounded half up. */
function payOf(price: number, { taxRateBp, courierShareBp }: TrueMoney): number {
  return halfUp(halfUp(price * WHOLE_BP, WHOLE_BP + taxRateBp) * courierShareBp, WHOLE_BP);
}

/** The quotient of whole numbers, rounded half up. */
function halfUp(value: number, by: number): number {
  return Math.floor((2 * value + by) / (2 * by));
}
