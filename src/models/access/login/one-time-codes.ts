import { createHmac, randomInt, timingSafeEqual } from 'node:crypto';
import type { Clock } from '../../../ports/process.ts';
import type { Settings } from '../../../settings.ts';
import type { Mongo } from '../../../engines/mongo.ts';
import { ONE_TIME_CODES } from '../credential-shapes.ts';

export type OneTimeCodes = {
  /** Makes a code that replaces the phone's last one. */
  make(phone: string): Promise<string>;
  /**
   * Says whether it is the phone's code. A right code is used up. Tries from addresses where the owner has logged in lately
   * (`isKnown`) count apart, so that strangers elsewhere cannot use them up.
   */
  use(phone: string, code: string, isKnown: boolean): Promise<boolean>;
};

/** The code of every courier of test mode. A live code never equals it. */
export const TEST_CODE = '000000';

/** One-time codes of six digits, stored as hashes. Each has few tries and a short lifetime. */
export function createOneTimeCodes(mongo: Mongo, pepper: string, clock: Clock, settings: Settings): OneTimeCodes {
  const rows = mongo.collection(ONE_TIME_CODES);
  const { otpTtlS, otpTries } = settings.auth;
  const hash = (text: string): string => createHmac('sha256', pepper).update(text).digest('base64url');
  return {
    make: async (phone) => {
      const code = randomInt(1, 1_000_000).toString().padStart(TEST_CODE.length, '0');
      const endsOn = new Date(clock.real.now() + otpTtlS * 1000);
      const row = { hash: hash(`${phone}.${code}`), tries: 0, knownTries: 0, endsOn };
      // A caller requests a code again if a failover loses it. With majority writes, a flood could keep the disk busy.
      await rows.updateOne({ _id: hash(phone) }, { $set: row }, { upsert: true, writeConcern: { w: 1 } });
      return code;
    },
    use: async (phone, code, isKnown) => {
      const counter = isKnown ? 'knownTries' : 'tries';
      // The try is counted before the code is compared, so that parallel guesses count as well. The release before stores
      // no `knownTries`, which `$lt` would not match.
      const row = await rows.findOneAndUpdate(
        { _id: hash(phone), [counter]: { $not: { $gte: otpTries } }, endsOn: { $gt: new Date(clock.real.now()) } },
        { $inc: { [counter]: 1 } },
      );
      if (row === null) return false;
      const isRight = timingSafeEqual(Buffer.from(row.hash), Buffer.from(hash(`${phone}.${code}`)));
      if (!isRight) return false;
      const used = await rows.deleteOne({ _id: row._id, hash: row.hash });
      return used.deletedCount === 1;
    },
  };
}
