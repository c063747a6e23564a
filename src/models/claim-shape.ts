import type { Claim } from '../ports/changes.ts';
import { ENDING } from '../engines/retention.ts';
import { date, omissible, text } from '../engines/shapes/fields.ts';
import { shape } from '../engines/shapes/shape.ts';

export type ClaimRow = Claim & { readonly _id: string; readonly endsOn?: Date };

export const CLAIMS = shape<ClaimRow>({
  name: 'claims',
  holds: 'A fact that must be unique across shards, and its owner.',
  kept: '`RETENTION_CLAIMS_MS` for claims of deliveries. Claims of couriers and registrations always, and the rows of changes that run one at a time.',
  shardKey: { _id: 'hashed' },
  indexes: [ENDING],
  fields: {
    _id: text('The fact.'),
    fact: text('The fact.'),
    holder: text('The id of the delivery, courier or registration that owns it.'),
    endsOn: omissible(date('When the database may delete the claim; left out if it stays.')),
  },
});
