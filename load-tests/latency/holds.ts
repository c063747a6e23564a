// The money of all open deliveries after a run.
import { OPEN_STATES } from '../../src/domain/deliveries/lifecycle.ts';
import type { Mongo } from '../../src/engines/mongo.ts';
import { deliveriesIn } from '../../src/models/deliveries/delivery-rows.ts';
import { HOLDS } from '../../src/models/ledger/ledger-shapes.ts';
import { verifyLedger } from '../../src/models/ledger/verify-ledger.ts';

/**
 * Verifies the ledger, and compares the open holds with the deliveries that are open. Returns what is wrong, in
 * sentences.
 */
export async function checkHolds(mongo: Mongo): Promise<string[]> {
  const wanted = new Map<string, number>();
  const open = { state: { $in: [...OPEN_STATES] }, 'funds.hold': { $gt: 0 } };
  for await (const { funds } of deliveriesIn(mongo).find(open, { projection: { funds: 1 } }))
    if (funds !== undefined) wanted.set(funds.holdKey, funds.hold);
  const count = wanted.size;
  let strays = 0;
  for await (const { _id, amount } of mongo.collection(HOLDS).find({ state: 'open' })) {
    if (wanted.get(_id) !== Number(amount)) strays += 1;
    wanted.delete(_id);
  }
  const { faults } = await verifyLedger(mongo, () => undefined);
  const told = [
    ...(count === 0 ? ['no open delivery holds money'] : []),
    ...(strays === 0 ? [] : [`${strays} open holds are not those of an open delivery`]),
    ...(wanted.size === 0 ? [] : [`${wanted.size} open deliveries have lost their hold`]),
  ];
  return [...told, ...faults];
}
