import { isDeepStrictEqual } from 'node:util';
import type { DeliveryId } from '../../domain/ids.ts';
import { answerRun, type MatchDecision, type RunAnswer, type RunRequest } from '../match/answer.ts';

/**
 * Answers a logged run again. The search makes exactly as many rounds as then, whatever the clock says. So the answer
 * is the same, even if time had cut the search short.
 */
export function replayRun(request: RunRequest, rounds: number): RunAnswer {
  const { search } = request.rules;
  const exact = { ...search, mostRounds: rounds, roundsPerOrder: Math.max(search.roundsPerOrder, rounds) };
  return answerRun({ ...request, rules: { ...request.rules, search: exact } });
}

/** One delivery in two answers to the same run. A side is null if that answer does not mention it. */
export type Compared = {
  readonly deliveryId: DeliveryId;
  readonly logged: MatchDecision | null;
  readonly again: MatchDecision | null;
  readonly isSame: boolean;
};

/** Compares two answers delivery by delivery, in the order of the logged one. */
export function compareDecisions(logged: RunAnswer, again: RunAnswer): Compared[] {
  const first = new Map(logged.decisions.map((one) => [one.deliveryId, one]));
  const second = new Map(again.decisions.map((one) => [one.deliveryId, one]));
  return [...new Set([...first.keys(), ...second.keys()])].map((deliveryId) => {
    const pair = { logged: first.get(deliveryId) ?? null, again: second.get(deliveryId) ?? null };
    return { deliveryId, ...pair, isSame: isDeepStrictEqual(pair.logged, pair.again) };
  });
}

/** The parts of two answers that differ; empty if they are equal to the last bit. */
export function differencesOf(logged: RunAnswer, again: RunAnswer): (keyof RunAnswer)[] {
  const parts: (keyof RunAnswer)[] = ['kept', 'due', 'decisions', 'outdone', 'rounds'];
  return parts.filter((part) => !isDeepStrictEqual(logged[part], again[part]));
}
