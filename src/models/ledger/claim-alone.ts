import type { mongo } from 'mongoose';
import type { Mongo } from '../../engines/mongo.ts';
import { EXACT } from '../../engines/shapes/fields.ts';
import { amountOf } from '../../money/amount.ts';
import { hasFloor, type AccountId } from '../../money/ledger/accounts.ts';
import { storedAt, type Balance, type Command, type Stored } from '../../money/ledger/decide.ts';
import { ACCOUNTS, type AccountRow } from './ledger-shapes.ts';

/** The amounts that a command adds to its only account with a floor. */
type Claim = { readonly account: AccountId; readonly posted: bigint; readonly held: bigint };

const MOST_POSTED = BigInt(Number.MAX_SAFE_INTEGER);
/** Nothing is owed. Rows that were stored before `owed` existed do not have it. */
export const NOT_OWED = { $in: [0n, null as never] };

/**
 * If there is only one command, and it changes one account and no stored hold, changes the account and returns what it
 * was before. This saves a lone command the read. Returns null, and changes nothing, if the command must be judged first.
 */
export async function claimAlone(
  mongo: Mongo,
  session: mongo.ClientSession,
  [command, ...more]: readonly Command[],
): Promise<Stored | null> {
  const claim = command === undefined || more.length > 0 ? null : claimOf(command);
  if (claim === null) return null;
  const { account, posted, held } = claim;
  const available = posted - held;
  const row = await mongo.collection(ACCOUNTS).findOneAndUpdate(
    {
      _id: account,
      available: { $gte: available < 0n ? -available : 0n },
      posted: { $lte: MOST_POSTED - posted },
      // Money that is owed is paid first, by an entry of its own.
      owed: NOT_OWED,
      ...(held > 0n ? { frozen: { $ne: true } } : {}),
    },
    { $inc: { posted, held, available, version: 1n } as never },
    { session, ...EXACT },
  );
  return row === null ? null : { balances: new Map([[account, balanceOf(row)]]), holds: new Map() };
}

/** The balance of a stored account. */
export function balanceOf({ posted, held, owed, frozen }: AccountRow): Balance {
  return { posted: amountOf(posted), held: amountOf(held), owed: amountOf(owed ?? 0), isFrozen: frozen ?? false };
}

/** The claim of a command that may be written before it is judged; null for others. */
function claimOf(command: Command): Claim | null {
  if (command.do === 'hold') return { account: command.hold.account, posted: 0n, held: BigInt(command.hold.amount) };
  if (command.do !== 'post') return null;
  const [only, ...others] = command.entry.postings.filter(({ account }) => hasFloor(storedAt(account)));
  return only === undefined || others.length > 0 || !hasFloor(only.account)
    ? null
    : { account: only.account, posted: BigInt(only.amount), held: 0n };
}
