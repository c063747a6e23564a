import type { mongo } from 'mongoose';
import type { RunId } from '../../domain/ids.ts';
import { DECISION_VERDICTS, type Candidate, type DecisionRow, type RunFacts } from '../../domain/offers/decision.ts';
import { ENDING } from '../../engines/retention.ts';
import { bytes, date, id, list, maybe, number, oneOf, part, text } from '../../engines/shapes/fields.ts';
import { shape } from '../../engines/shapes/shape.ts';

/** Packed and compressed data of a run. */
type Packed = mongo.Binary | Uint8Array;

export type RunDoc = Omit<RunFacts, 'id'> & {
  readonly _id: RunId;
  readonly inputsHash: string;
  readonly request: Packed | null;
  readonly answer: Packed | null;
  readonly endsOn: Date;
};
export type DecisionDoc = DecisionRow & { readonly _id: string; readonly endsOn: Date };

export const DISPATCH_RUNS = shape<RunDoc>({
  name: 'dispatch_runs',
  holds: 'A run of the matcher, and its inputs.',
  kept: '`DECISIONS_KEEP_REAL_MS`.',
  shardKey: { _id: 'hashed' },
  indexes: [ENDING],
  fields: {
    _id: id('run', 'The run’s id.'),
    region: text('The H3 cell of the region.'),
    fence: number('The fencing number of the leader.'),
    at: number('When the run began, service time in ms.'),
    tookMs: number('How long the run took, machine time.'),
    rounds: number('How many rounds of the search were made.'),
    seed: number('The seed of the random values of the run.'),
    inputsHash: text('SHA-256 of the packed request.'),
    request: maybe(bytes<Packed>('The matcher’s input, compressed; null if it was too large.')),
    answer: maybe(bytes<Packed>('The matcher’s answer, compressed; null if it was too large.')),
    endsOn: date('When the database may delete the run.'),
  },
});

export const DECISIONS = shape<DecisionDoc>({
  name: 'decisions',
  holds: 'The decision of one run of the matcher about one delivery.',
  kept: '`DECISIONS_KEEP_REAL_MS`.',
  shardKey: { deliveryId: 'hashed' },
  indexes: [{ key: { deliveryId: 1, at: -1, runId: -1 } }, ENDING],
  fields: {
    _id: text('The ids of the run and of the delivery.'),
    deliveryId: id('del', 'The delivery.'),
    runId: id('run', 'The run.'),
    at: number('When the run began, service time in ms.'),
    verdict: oneOf(DECISION_VERDICTS, 'The verdict of the run.'),
    courierId: maybe(id('cou', 'The courier whom the plan chose.')),
    costS: number('The cost of this choice in the whole plan, seconds.'),
    candidates: list(
      part<Candidate>(
        {
          courierId: id('cou', 'The courier.'),
          arriveS: number('The time until the courier is at the pickup, seconds.'),
          aloneS: number('The cost of the delivery alone with this courier, seconds.'),
          priceS: number('The cost of using this courier at all, seconds.'),
          acceptance: number('The chance that the courier accepts.'),
        },
        'One courier.',
      ),
      'The best of the compared couriers, best first.',
    ),
    asked: list(id('cou', 'A courier.'), 'The couriers to whom the run opened an offer.'),
    endsOn: date('When the database may delete the decision.'),
  },
});
