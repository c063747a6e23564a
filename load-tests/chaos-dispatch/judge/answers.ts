// The answers to accepts, by offer. Pure.
import { pairOf, type StoredOffer } from './verdict.ts';

/** The result of one try to accept: yes, a final refusal, or unknown, if nothing says whether it was stored. */
export type Answer = 'ok' | 'refused' | 'unknown';

export type Answers = {
  note(offer: StoredOffer, answer: Answer): void;
  /**
   * Returns the contradictions, one sentence each.
   * @param accepted the offers that are stored as accepted
   * @param given every courier with every delivery that was assigned to them
   */
  disagreements(accepted: readonly StoredOffer[], given: ReadonlySet<string>): string[];
  counts(): { readonly tries: number; readonly ok: number; readonly refused: number; readonly unknown: number };
};

/** An empty book of answers. */
export function createAnswers(): Answers {
  const byOffer = new Map<string, { readonly offer: StoredOffer; readonly answers: Set<Answer> }>();
  const counts = { tries: 0, ok: 0, refused: 0, unknown: 0 };
  return {
    note(offer, answer) {
      counts.tries += 1;
      counts[answer] += 1;
      const entry = byOffer.get(offer.id) ?? { offer, answers: new Set() };
      byOffer.set(offer.id, entry);
      entry.answers.add(answer);
    },
    disagreements(accepted, given) {
      // A courier whose offer expired may have got the same delivery by the next offer, or by hand. Then yes is right.
      const unstored = [...byOffer.values()].filter(
        ({ offer, answers }) => answers.has('ok') && !given.has(pairOf(offer)),
      );
      const denied = accepted.filter(({ id }) => {
        const answers = byOffer.get(id)?.answers;
        return answers === undefined || !(answers.has('ok') || answers.has('unknown'));
      });
      return [
        ...unstored.map(
          ({ offer }) => `${offer.id} was answered yes, but the delivery was not assigned to its courier`,
        ),
        ...denied.map(({ id }) => `${id} is stored as accepted, but no try to accept it can have been answered yes`),
      ];
    },
    counts: () => ({ ...counts }),
  };
}
