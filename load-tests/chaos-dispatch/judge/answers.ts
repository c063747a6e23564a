// What couriers were told when they accepted, by offer. Pure.
import { pairOf, type StoredOffer } from './verdict.ts';

/** What one try to accept came to: yes, a refusal that is final, or nothing that says whether it was stored. */
export type Answer = 'ok' | 'refused' | 'unknown';

export type Answers = {
  note(offer: StoredOffer, answer: Answer): void;
  /**
   * What is wrong, in words.
   * @param accepted the offers that are stored as accepted
   * @param given every courier with every delivery he was given
   */
  disagreements(accepted: readonly StoredOffer[], given: ReadonlySet<string>): string[];
  counts(): { readonly tries: number; readonly ok: number; readonly refused: number; readonly unknown: number };
};

/** A book of answers, still empty. */
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
      // A courier whose offer ran out may have got the same delivery by the next one, or by hand: then yes is right.
      const unstored = [...byOffer.values()].filter(
        ({ offer, answers }) => answers.has('ok') && !given.has(pairOf(offer)),
      );
      const denied = accepted.filter(({ id }) => {
        const answers = byOffer.get(id)?.answers;
        return answers === undefined || !(answers.has('ok') || answers.has('unknown'));
      });
      return [
        ...unstored.map(({ offer }) => `${offer.id} was answered yes and its courier was not given the delivery`),
        ...denied.map(({ id }) => `${id} is stored as accepted, and nobody who asked can have been told yes`),
      ];
    },
    counts: () => ({ ...counts }),
  };
}
