// Transfers of a bench: charges of funded wallets.
import { newId } from '../../src/domain/ids.ts';
import { amountOf } from '../../src/money/amount.ts';
import { bookOf, platformAccount, vendorAccount, type AccountId } from '../../src/money/ledger/accounts.ts';
import type { Command } from '../../src/money/ledger/decide.ts';
import { move, type Entry } from '../../src/money/ledger/entries.ts';
import type { Ledger } from '../../src/ports/ledger.ts';

const BOOK = bookOf(false, 'EUR');
const REVENUE = platformAccount('revenue', BOOK);
/** More than all transfers of a bench charge. */
const FUNDS = amountOf(1_000_000_000);

/**
 * Funds wallets. Returns a function that charges one of the first so many wallets, at random. Its `held` places a hold and
 * captures it.
 */
export async function openWallets(ledger: Ledger, count: number) {
  const wallets = Array.from({ length: count }, () => vendorAccount('wallet', newId('ven'), BOOK));
  const rest = { book: BOOK, vendorId: null, about: 'bench', reason: null } as const;
  const fund = platformAccount('adjustment', BOOK);
  await Promise.all(
    wallets.map((wallet) => {
      const postings = move(FUNDS, fund, wallet);
      return ledger.post({ do: 'post', entry: { ...rest, key: newId('req'), kind: 'adjustment', postings } }, null);
    }),
  );
  let turn = 0;
  const next = (among: number): AccountId => wallets[(turn += 7919) % among] ?? REVENUE;
  const post = async (command: Command): Promise<void> => {
    const result = await ledger.post(command, null);
    if (!result.ok) throw new Error(`a funded transfer was refused: ${result.why}`);
  };
  const charge = (wallet: AccountId): Entry => {
    const postings = move(amountOf(1), wallet, REVENUE);
    return { ...rest, key: newId('req'), kind: 'charge', postings };
  };
  const transfer = (among: number): Promise<void> => post({ do: 'post', entry: charge(next(among)) });
  const held = async (among: number): Promise<void> => {
    const [account, key] = [next(among), newId('req')];
    await post({ do: 'hold', hold: { key, account, amount: amountOf(2), about: 'bench' } });
    await post({ do: 'capture', holdKey: key, entry: charge(account) });
  };
  return Object.assign(transfer, { held });
}
