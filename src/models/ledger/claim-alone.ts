import type { mongo } from 'mongoose';
import type { Mongo } from '../../engines/mongo.ts';
import { amountOf } from '../../money/amount.ts';
import { hasFloor, type AccountId } from '../../money/ledger/accounts.ts';
import type { Command, Draft } from '../../money/ledger/decide.ts';
import { ACCOUNTS, EXACT } from './ledger-shapes.ts';

/** The amounts that a command adds to its only account with a floor. */
type Claim = { readonly account: AccountId; readonly posted: bigint; readonly held: bigint };

const MOST_POSTED = BigInt(Number.MAX_SAFE_INTEGER);

/**
 * If there is only one command, and it changes one account and no stored hold, changes the account and returns what it
 * was before. This saves a lone command the read. Returns null, and changes nothing, if the command must be judged first.
 */
export async function claimAlone(
  mongo: Mongo,
  session: mongo.ClientSession,
  [command, ...more]: readonly Command[],
): Promise<Draft | null> {
  const claim = command === undefined || more.length > 0 ? null : claimOf(command);
  if (claim === null) return null;
  const { filter, update } = spending(claim.account, claim.posted, claim.held);
  const fits = { ...filter, posted: { $lte: MOST_POSTED - claim.posted } };
  const row = await mongo.collection(ACCOUNTS).findOneAndUpdate(fits, update, { session, ...EXACT });
  if (row === null) return null;
  const before = { posted: amountOf(row.posted), held: amountOf(row.held) };
  return { balances: new Map([[claim.account, before]]), holds: new Map() };
}

/** An update of an account. The guard stands in it: what is spent must be available. */
export function spending(account: AccountId, posted: bigint, held: bigint) {
  const available = posted - held;
  return {
    filter: { _id: account, available: { $gte: available < 0n ? -available : 0n } },
    update: { $inc: { posted, held, available, version: 1n } as never },
  };
}

/** The claim of a command that may be written before it is judged; null for others. */
function claimOf(command: Command): Claim | null {
  if (command.do === 'hold') return { account: command.hold.account, posted: 0n, held: BigInt(command.hold.amount) };
  if (command.do !== 'post') return null;
  const [only, ...others] = command.entry.postings.filter(({ account }) => hasFloor(account));
  return only === undefined || others.length > 0
    ? null
    : { account: only.account, posted: BigInt(only.amount), held: 0n };
}
