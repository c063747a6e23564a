import { BANK_ACCOUNT_FORMS, type BankAccount } from '../../domain/couriers/bank-account.ts';
import type { CourierId } from '../../domain/ids.ts';
import { isDuplicateKey, type Mongo } from '../../engines/mongo.ts';
import { readConfirmed } from '../../engines/read-confirmed.ts';
import { flag, id, number, oneOf, text } from '../../engines/shapes/fields.ts';
import { shape } from '../../engines/shapes/shape.ts';
import type { BankAccountStore } from '../../ports/couriers.ts';
import type { Clock } from '../../ports/process.ts';
import { storeWith } from '../store-entries.ts';

export type BankAccountRow = BankAccount & { readonly _id: CourierId };

const BY_CURRENCY = { liveMode: 1, currency: 1, _id: 1 } as const;

export const BANK_ACCOUNTS = shape<BankAccountRow>({
  name: 'bank_accounts',
  holds: 'The bank account to which the earnings of a courier are paid.',
  kept: 'Until the courier names another one.',
  shardKey: { _id: 'hashed' },
  indexes: [{ key: BY_CURRENCY }],
  fields: {
    _id: id('cou', 'The courier.'),
    courierId: id('cou', 'The courier.'),
    liveMode: flag('The mode of the courier.'),
    currency: text('Only payouts in this currency go to it, ISO 4217.'),
    country: text('The country of the bank, ISO 3166.'),
    form: oneOf(BANK_ACCOUNT_FORMS, 'Whether it is named by an IBAN or by a number and a bank code.'),
    sealedDetails: text('The number, the bank code and the name of the holder, encrypted.'),
    last4: text('The last four characters of the number.'),
    usableAt: number('No payout goes to it before, service time in ms.'),
    updatedAt: number('When it was set, service time in ms.'),
    version: number('Rises by one with each change.'),
  },
});

const AS_ACCOUNT = { projection: { _id: 0 } } as const;

/** Stores the bank accounts of couriers. */
export function createBankAccountStore(mongo: Mongo, clock: Clock): BankAccountStore {
  const rows = mongo.collection(BANK_ACCOUNTS);
  return {
    find: (courierId) =>
      readConfirmed(mongo, (options) => rows.findOne<BankAccount>({ _id: courierId }, { ...AS_ACCOUNT, ...options })),
    findMany: (ids) => rows.find<BankAccount>({ _id: { $in: [...ids] } }, AS_ACCOUNT).toArray(),
    put: async (account, entry) => {
      const { courierId: _id, version } = account;
      try {
        return await storeWith(mongo, clock, entry, async (within) => {
          if (version === 1) {
            await rows.insertOne({ _id, ...account }, within);
            return true;
          }
          const { matchedCount } = await rows.replaceOne({ _id, version: version - 1 }, account, within);
          return matchedCount > 0;
        });
      } catch (error) {
        // Somebody else set the first one. The caller reads it and decides again.
        if (isDuplicateKey(error)) return false;
        throw error;
      }
    },
    list: ({ liveMode, currency, after }, limit) =>
      rows
        .find<BankAccount>(
          { liveMode, currency, ...(after === null ? {} : { _id: { $gt: after } }) },
          { ...AS_ACCOUNT, hint: BY_CURRENCY },
        )
        .sort({ _id: 1 })
        .limit(limit)
        .toArray(),
  };
}
