import { expect, test } from 'vitest';
import { mongo as mongodb } from 'mongoose';
import { createLedger } from '../../../src/models/ledger/ledger-store.ts';
import { verifyLedger } from '../../../src/models/ledger/verify-ledger.ts';
import type { Mongo } from '../../../src/engines/mongo.ts';
import { CLOCK, openHouse } from '../../engines/mongo-house.ts';
import { aCapture, aCharge, aCredit, aHold, aWallet } from '../../money/ledger/commands.ts';

const { mongo } = await openHouse('lost-ledger');
type Session = mongodb.ClientSession;

/** The same database. The connection is lost before or after the next `times` transactions of its sessions. */
function losing(when: 'before' | 'after', times: number): Mongo {
  let left = times;
  const client = mongo.connection.getClient();
  const startSession = (options?: mongodb.ClientSessionOptions): Session => {
    const session = client.startSession(options);
    const run = session.withTransaction.bind(session);
    const isLost = (at: typeof when): boolean => at === when && left > 0;
    session.withTransaction = async (work, given) => {
      if (isLost('before')) {
        left -= 1;
        throw new mongodb.MongoNetworkError('the connection was lost');
      }
      const result = await run(work, given);
      if (isLost('after')) {
        left -= 1;
        throw new mongodb.MongoNetworkError('the connection was lost');
      }
      return result;
    };
    return session;
  };
  const connection = { getClient: () => ({ startSession }) } as never;
  return { ...mongo, connection };
}

const ledger = createLedger(mongo, CLOCK);
let next = 0;
const aKey = (): string => `fact ${(next += 1)}`;

async function aFundedWallet() {
  const wallet = aWallet();
  await ledger.post(aCredit(aKey(), wallet, 100), null);
  return wallet;
}

test.each([['before'], ['after']] as const)(
  '[J7] commands whose connection is lost %s they are written are each booked once',
  async (when) => {
    const [wallet, hold, other] = [await aFundedWallet(), aKey(), aKey()];
    for (const key of [hold, other]) await ledger.post(aHold(key, wallet, 20), null);
    const commands = [
      aCharge(aKey(), wallet, 10),
      aHold(aKey(), wallet, 5),
      aCapture(hold, aKey(), wallet, 15),
      { do: 'void', holdKey: other, account: wallet } as const,
    ];
    const doubtful = createLedger(losing(when, 1), CLOCK);
    const results = await Promise.all(commands.map((command) => doubtful.post(command, null)));
    expect(results.map(({ ok }) => ok)).toEqual([true, true, true, true]);
    expect(await ledger.balance(wallet)).toEqual({ posted: 75, held: 5, owed: 0, isFrozen: false });
    for (const command of commands) expect(await ledger.post(command, null)).toEqual({ ok: true, isRepeat: true });
    expect(await ledger.balance(wallet)).toEqual({ posted: 75, held: 5, owed: 0, isFrozen: false });
    expect(await verifyLedger(mongo, () => undefined)).toMatchObject({ ok: true });
  },
);

test('[J7] a command that is never written is refused as busy, and no money has moved', async () => {
  const wallet = await aFundedWallet();
  const charge = aCharge(aKey(), wallet, 10);
  await expect(createLedger(losing('before', 100), CLOCK).post(charge, null)).rejects.toMatchObject({ code: 'busy' });
  expect(await ledger.balance(wallet)).toEqual({ posted: 100, held: 0, owed: 0, isFrozen: false });
  expect(await ledger.post(charge, null)).toEqual({ ok: true, isRepeat: false });
});
