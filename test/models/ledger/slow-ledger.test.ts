import { expect, test } from 'vitest';
import type { mongo as mongodb } from 'mongoose';
import { createLedger, MOST_UNDER_WAY } from '../../../src/models/ledger/ledger-store.ts';
import type { Mongo } from '../../../src/engines/mongo.ts';
import { handClock } from '../../clock.ts';
import { CLOCK, openHouse } from '../../engines/mongo-house.ts';
import { until } from '../../until.ts';
import { aCharge, aCredit, aWallet } from '../../money/ledger/commands.ts';

const { mongo } = await openHouse('slow-ledger');
const ledger = createLedger(mongo, CLOCK);
let next = 0;
const aKey = (): string => `fact ${(next += 1)}`;

async function aFundedWallet() {
  const wallet = aWallet();
  await ledger.post(aCredit(aKey(), wallet, 100), null);
  return wallet;
}

/** The end of this turn of the event loop, in which a waiting command starts. */
const turn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

/** The same database. Its first transaction, and the command that would end it, hang until `gate` is opened. */
function hanging() {
  const gate = Promise.withResolvers<void>();
  const seen = { started: 0 };
  const client = mongo.connection.getClient();
  const startSession = (): mongodb.ClientSession => {
    const session = client.startSession();
    const run = session.withTransaction.bind(session);
    session.withTransaction = async (work, given) => {
      seen.started += 1;
      if (seen.started === 1) await gate.promise;
      return run(work, given);
    };
    return session;
  };
  const killed = async (): Promise<never> => {
    await gate.promise;
    throw new Error('the server was away');
  };
  const connection = { getClient: () => ({ startSession }) } as never;
  const slow: Mongo = { ...mongo, connection, db: { admin: () => ({ command: killed }) } as never };
  return { slow, seen, open: gate.resolve };
}

test('[J14] a command waits for the one before it on its wallet, and other wallets do not wait', async () => {
  const [wallet, other] = [await aFundedWallet(), await aFundedWallet()];
  const { slow, seen, open } = hanging();
  const busy = createLedger(slow, CLOCK);
  const first = busy.post(aCharge(aKey(), wallet, 10), null);
  await turn();
  const second = busy.post(aCharge(aKey(), wallet, 10), null);
  expect(await busy.post(aCharge(aKey(), other, 10), null)).toEqual({ ok: true, isRepeat: false });
  expect([await Promise.race([second, Promise.resolve('waits')]), seen.started]).toEqual(['waits', 2]);
  open();
  expect(await Promise.all([first, second])).toEqual(Array.from({ length: 2 }, () => ({ ok: true, isRepeat: false })));
  expect(await ledger.balance(wallet)).toEqual({ posted: 80, held: 0, owed: 0, isFrozen: false });
});

test('[J15] after 5 s a command is refused as busy, and one that has not started is not carried out', async () => {
  const wallet = await aFundedWallet();
  const { slow, seen, open } = hanging();
  const clock = handClock();
  const busy = createLedger(slow, clock);
  const told: string[] = [];
  const tell = (name: string) => (error: unknown) => void told.push(`${name}: ${String(error)}`);
  const first = busy.post(aCharge(aKey(), wallet, 10), null).catch(tell('first'));
  await turn();
  const second = busy.post(aCharge(aKey(), wallet, 20), null).catch(tell('second'));
  await clock.advance(4999);
  expect(told).toEqual([]);
  await clock.advance(1);
  await Promise.all([first, second]);
  expect(told).toEqual([
    expect.stringMatching(/^first: .*may have been/),
    expect.stringMatching(/^second: .*no money has/),
  ]);
  open();
  expect(await busy.post(aCharge(aKey(), wallet, 40), null)).toEqual({ ok: true, isRepeat: false });
  expect([await ledger.balance(wallet), seen.started]).toEqual([{ posted: 60, held: 0, owed: 0, isFrozen: false }, 2]);
});

test('[J17] a command above the limit is refused as busy at once, and there is room again when others end', async () => {
  const wallet = await aFundedWallet();
  const { slow, open } = hanging();
  const clock = handClock();
  const full = createLedger(slow, clock);
  const first = full.post(aCharge(aKey(), wallet, 10), null);
  await turn();
  const waiting = Array.from({ length: MOST_UNDER_WAY - 1 }, () => full.post(aCharge(aKey(), wallet, 10), null));
  const answers = Promise.allSettled([first, ...waiting]);
  await expect(full.post(aCharge(aKey(), wallet, 10), null)).rejects.toMatchObject({ code: 'busy' });
  await clock.advance(5000);
  expect((await answers).every(({ status }) => status === 'rejected')).toBe(true);
  open();
  const isBooked = async (): Promise<boolean> => (await full.post(aCharge(aKey(), wallet, 20), null)).ok;
  await until(() => isBooked().catch(() => false));
  expect(await ledger.balance(wallet)).toEqual({ posted: 80, held: 0, owed: 0, isFrozen: false });
});
