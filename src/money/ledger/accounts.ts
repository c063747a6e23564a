import type { CourierId, VendorId } from '../../domain/ids.ts';

/** The chart of accounts. A credit is positive. An account with a floor never spends more than it has. */
// One row per line: this is a table.
// oxfmt-ignore
const ACCOUNTS = {
  wallet:        { owner: 'vendor',   hasFloor: true  }, // money that a vendor may spend
  receivable:    { owner: 'vendor',   hasFloor: false }, // what a vendor owes, because a charge exceeded its hold
  payable:       { owner: 'vendor',   hasFloor: false }, // order values that we have collected for a vendor and not paid out
  earnings:      { owner: 'courier',  hasFloor: true  }, // pay and tips that a courier has not been paid out
  revenue:       { owner: 'platform', hasFloor: false }, // fees without their tax
  reserve:       { owner: 'platform', hasFloor: false }, // revenue that a vendor disputes
  tax:           { owner: 'platform', hasFloor: false }, // tax that fees contained
  promotion:     { owner: 'platform', hasFloor: false }, // the platform's share of fees
  delivery_cost: { owner: 'platform', hasFloor: false }, // pay of couriers
  clearing:      { owner: 'platform', hasFloor: false }, // money at payment gateways that is not settled yet, below 0
  suspense:      { owner: 'platform', hasFloor: false }, // money that arrived and that belongs to nobody yet
  in_transit:    { owner: 'platform', hasFloor: false }, // payouts and refunds that left their account and did not reach the bank yet
  processing_cost: { owner: 'platform', hasFloor: false }, // what payment gateways keep of payments
  adjustment:    { owner: 'platform', hasFloor: false }, // the other side of what staff book by hand
} as const;

export type AccountKind = keyof typeof ACCOUNTS;
type KindOf<Owner> = { [K in AccountKind]: (typeof ACCOUNTS)[K]['owner'] extends Owner ? K : never }[AccountKind];

/** All accounts of a mode and a currency. Money never moves between two books. Test money has books of its own. */
export type Book = `${'live' | 'test'}.${string}`;
/** `kind:owner:book`. Accounts of the platform have no owner. */
export type AccountId = `${AccountKind}:${string}:${Book}`;

/** The book of a mode and a currency. */
export function bookOf(liveMode: boolean, currency: string): Book {
  return `${liveMode ? 'live' : 'test'}.${currency}`;
}

/** Says whether the book is of live mode. */
export function isLive(book: Book): boolean {
  return book.startsWith('live.');
}

/** The currency of a book, ISO 4217. */
export function currencyOf(book: Book): string {
  return book.slice(book.indexOf('.') + 1);
}

/** The account of a vendor in a book. */
export function vendorAccount(kind: KindOf<'vendor'>, vendorId: VendorId, book: Book): AccountId {
  return `${kind}:${vendorId}:${book}`;
}

/** The account of a courier in a book. */
export function courierAccount(kind: KindOf<'courier'>, courierId: CourierId, book: Book): AccountId {
  return `${kind}:${courierId}:${book}`;
}

/** The account of the platform in a book. */
export function platformAccount(kind: KindOf<'platform'>, book: Book): AccountId {
  return `${kind}::${book}`;
}

/** The kind of an account. */
export function kindOfAccount(id: AccountId): AccountKind {
  return id.slice(0, id.indexOf(':')) as AccountKind;
}

/** Another account of the same owner and book. */
export function besideAccount(id: AccountId, kind: AccountKind): AccountId {
  return `${kind}${id.slice(id.indexOf(':'))}` as AccountId;
}

/** Says whether the account never spends more than it has. Its balance is then stored with each entry. */
export function hasFloor(id: AccountId): boolean {
  return ACCOUNTS[kindOfAccount(id)].hasFloor;
}
