import type { mongo } from 'mongoose';
import type { VendorId } from '../../domain/ids.ts';
import { addUnknown } from '../../engines/add-unknown.ts';
import type { Mongo } from '../../engines/mongo.ts';
import { BILLED_KINDS } from '../../money/billing/transactions.ts';
import type { Book } from '../../money/ledger/accounts.ts';
import type { EntryKind } from '../../money/ledger/entries.ts';
import { accountId } from '../common-fields.ts';
import { BILLING_ACCOUNTS, type BillingAccountRow } from './invoice-shapes.ts';

/** An entry of the ledger, as far as it says who was charged. */
type Booked = {
  readonly kind: EntryKind;
  readonly vendorId: VendorId | null;
  readonly liveMode: boolean;
  readonly book: Book;
  readonly at: number;
};

/** By then each entry that was booked at the same time is stored: the ledger gives up after five seconds. */
const SETTLED_MS = 60_000;

/**
 * Adds a billing account for each vendor that these entries charge in a book for the first time. So invoicing reads
 * accounts that are due, and no wallets. It is part of the transaction that adds the entries to the chain, so no charge is
 * missed.
 */
export async function noteCharged(on: Mongo, session: mongo.ClientSession, entries: readonly Booked[]): Promise<void> {
  const charged = new Map<string, BillingAccountRow>();
  for (const { kind, vendorId, liveMode, book, at } of entries) {
    if (vendorId === null || !BILLED_KINDS.includes(kind)) continue;
    const _id = accountId({ vendorId, book });
    charged.set(_id, { _id, vendorId, liveMode, book, period: null, from: at, dueAt: at + SETTLED_MS });
  }
  await addUnknown(on.collection(BILLING_ACCOUNTS), session, [...charged.values()]);
}
