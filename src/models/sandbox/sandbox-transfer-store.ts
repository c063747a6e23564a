import { isDuplicateKey, type Mongo } from '../../engines/mongo.ts';
import { pageOf, rowsAfter } from '../../engines/pages.ts';
import { ENDING, endsOn } from '../../engines/retention.ts';
import { EXACT, date, number, omissible, text, whole64 } from '../../engines/shapes/fields.ts';
import { shape } from '../../engines/shapes/shape.ts';
import { amountOf } from '../../money/amount.ts';
import type { SandboxTransfer, SandboxTransferStore } from '../../ports/money/sandbox.ts';
import type { Clock } from '../../ports/process.ts';
import type { Settings } from '../../settings.ts';

type TransferRow = Omit<SandboxTransfer, 'reference' | 'amount'> & {
  readonly _id: string;
  readonly amount: bigint;
  readonly endsOn: Date;
};

const OLDEST_FIRST = { createdAt: 1, _id: 1 } as const;

export const SANDBOX_TRANSFERS = shape<TransferRow>({
  name: 'sandbox_transfers',
  holds: 'A transfer or a refund of play money by the sandbox gateway.',
  kept: '`RETENTION_TOP_UPS_MS` after it was made.',
  shardKey: { _id: 'hashed' },
  indexes: [{ key: OLDEST_FIRST }, ENDING],
  fields: {
    _id: text('The reference that the sandbox was given.'),
    amount: whole64('The amount, minor units.'),
    currency: text('ISO 4217 code of the currency.'),
    mode: text('The behaviour: the last two digits of the number of the bank account, or of the amount of a refund.'),
    payment: omissible(text('The payment that it refunds. Absent for a transfer.')),
    createdAt: number('When it was made, service time in ms.'),
    endsOn: date('When the database may delete the row.'),
  },
});

/** The transfers of the sandbox gateway in MongoDB. */
export function createSandboxTransferStore(
  mongo: Mongo,
  clock: Clock,
  { retention }: Pick<Settings, 'retention'>,
): SandboxTransferStore {
  const rows = mongo.collection(SANDBOX_TRANSFERS);
  const find: SandboxTransferStore['find'] = async (reference) => {
    const row = await rows.findOne({ _id: reference }, EXACT);
    return row === null ? null : transferOf(row);
  };
  return {
    find,
    add: async (transfer) => {
      const { reference, amount, ...rest } = transfer;
      try {
        await rows.insertOne({
          _id: reference,
          amount: BigInt(amount),
          ...rest,
          endsOn: endsOn(clock, retention.topUpsMs),
        });
        return { transfer, isNew: true };
      } catch (error) {
        const known = isDuplicateKey(error) ? await find(reference) : null;
        if (known === null) throw error;
        return { transfer: known, isNew: false };
      }
    },
    list: async ({ from, to }, { limit, after }) => {
      const since = [{ createdAt: { $gte: from, $lt: to } }, rowsAfter(after, OLDEST_FIRST)];
      const found = rows.find({ $and: since }, { ...EXACT, hint: OLDEST_FIRST });
      const page = await found
        .sort(OLDEST_FIRST)
        .limit(limit + 1)
        .toArray();
      return pageOf(page.map(transferOf), limit, ({ createdAt, reference: id }) => ({ at: createdAt, id }));
    },
  };
}

function transferOf({ _id, amount, endsOn: _endsOn, ...row }: TransferRow): SandboxTransfer {
  return { reference: _id, amount: amountOf(amount), ...row };
}
