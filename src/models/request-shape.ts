import type { DeliveryId } from '../domain/ids.ts';
import { ENDING } from '../engines/retention.ts';
import { date, id, maybe, number, omissible, text } from '../engines/shapes/fields.ts';
import { shape } from '../engines/shapes/shape.ts';

export type RequestRow = {
  readonly _id: string;
  readonly fingerprint: string;
  readonly seed: string;
  readonly turn: string;
  readonly leasedUntil: number;
  readonly changed: DeliveryId | null;
  readonly answer: string | null;
  readonly endsOn: Date;
  readonly begunAt?: number;
};

export const REQUESTS = shape<RequestRow>({
  name: 'requests',
  holds: 'A request with an `Idempotency-Key`, and its answer.',
  kept: '`RETENTION_REQUESTS_MS` after the last try of the request.',
  shardKey: { _id: 'hashed' },
  indexes: [ENDING],
  fields: {
    _id: text('SHA-256 of the account, the method, the path and the key.'),
    fingerprint: text(
      'The name of a key of the server, and an HMAC-SHA-256 of the query, the body and the files with this key.',
    ),
    seed: text('The last 26 characters of the ids that the request gives to new objects.'),
    turn: text('The name of the try that runs the request, or ran it last.'),
    leasedUntil: number('Until when no other try may run the request, machine time in ms.'),
    changed: maybe(id('del', 'The delivery that the request has changed. It is written in the same transaction.')),
    answer: maybe(text('The answer as JSON, encrypted with AES-256-GCM, because it may contain a secret.')),
    endsOn: date('When the database may delete the request.'),
    begunAt: omissible(number('When the first try began, service time in ms.')),
  },
});
