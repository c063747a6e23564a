/**
 * What an event's number says to a reader: `known` is dropped, `next` is applied, a `gap` means that something before it
 * was missed and has to be asked for.
 */
export type Verdict = 'known' | 'next' | 'gap';

/** The newest event number seen of each delivery. */
export type Marks = {
  judge(deliveryId: string, sequence: number): Verdict;
  /** Remembers a number; a mark never goes back. */
  raise(deliveryId: string, sequence: number): void;
  get(deliveryId: string): number | undefined;
  forget(deliveryId: string): void;
  /** The marks raised last, at most `most`, as a handshake sends them. */
  newest(most: number): Record<string, number>;
};

/** Most marks kept: the oldest go first, and their deliveries count as not seen yet. */
const MOST_MARKS = 5000;

export function createMarks(): Marks {
  const marks = new Map<string, number>();
  return {
    judge: (deliveryId, sequence) => judgeSequence(marks.get(deliveryId), sequence),
    raise: (deliveryId, sequence) => {
      const kept = Math.max(sequence, marks.get(deliveryId) ?? 0);
      marks.delete(deliveryId);
      marks.set(deliveryId, kept);
      if (marks.size > MOST_MARKS) forgetOldest(marks);
    },
    get: (deliveryId) => marks.get(deliveryId),
    forget: (deliveryId) => void marks.delete(deliveryId),
    newest: (most) => Object.fromEntries([...marks].slice(-most)),
  };
}

/** Judges a number against the newest one known; a delivery never seen has no gap, whatever comes is its newest. */
export function judgeSequence(mark: number | undefined, sequence: number): Verdict {
  if (mark === undefined) return 'next';
  if (sequence <= mark) return 'known';
  return sequence === mark + 1 ? 'next' : 'gap';
}

function forgetOldest(marks: Map<string, number>): void {
  for (const oldest of marks.keys()) {
    marks.delete(oldest);
    return;
  }
}
