import { newId, type DeliveryId } from '../../../src/domain/ids.ts';
import type { DecisionStore } from '../../../src/ports/dispatch/regions.ts';
import { NOON } from '../../builders.ts';
import { turnPages, type Calls } from './calls.ts';

const LIMIT = 20;

/** Calls of every method of the log of runs. */
export function decisionCalls(decisions: DecisionStore, deliveryId: DeliveryId): Calls<DecisionStore> {
  return {
    record: () => decisions.record(aRun(deliveryId)),
    list: async () => {
      for (const id of ['del_7' as const, deliveryId]) {
        await turnPages((after) => decisions.list(id, { limit: LIMIT, after }));
      }
    },
  };
}

function aRun(deliveryId: DeliveryId): Parameters<DecisionStore['record']>[0] {
  const facts = { id: newId('run'), region: 'north', fence: 1, at: NOON, tookMs: 1, rounds: 1, seed: 1 };
  const decision = { deliveryId, runId: facts.id, at: NOON, verdict: 'not_due' as const };
  return {
    ...facts,
    request: {},
    answer: {},
    decisions: [{ ...decision, courierId: null, costS: 0, asked: [], candidates: [] }],
  };
}
