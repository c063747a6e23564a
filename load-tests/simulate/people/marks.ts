// The rules of a reader of events: it drops events that it has, and asks for those that it misses. Pure.
import type { PresentedEvent } from '../../clients/wire.ts';
import type { ResyncAnswer } from '../../../src/realtime/protocol.ts';

/** The result of an arriving event. */
export type Intake = 'taken' | 'duplicate' | 'gap';

export type Marks = {
  /** The newest sequence without a hole before it, for the handshake's `last_seq`. */
  of(deliveryId: string): number;
  lastSeq(): Record<string, number>;
  /** Starts a delivery at this sequence, unless it has started. The reader is not entitled to earlier events. */
  begin(deliveryId: string, sequence: number): void;
  /** Takes an event from the socket. An event after a gap is not taken, and the reader must ask for the gap. */
  arrive(event: PresentedEvent): Intake;
  /** Returns the deliveries whose sequences in a beacon or snapshot are ahead of the reader. */
  behind(top: Readonly<Record<string, number>>): string[];
  /** Takes the answer to a resync and returns the new events. A reset skips events, and these stay unseen. */
  resynced(deliveryId: string, answer: ResyncAnswer): PresentedEvent[];
  /** Starts a new connection. It replays from the marks, so earlier arrivals say nothing about its order. */
  reconnected(): void;
  /** Sequences taken, by delivery. */
  seen(deliveryId: string): ReadonlySet<number>;
  /** The sequence at which the delivery started for this reader. Null if it never started. */
  base(deliveryId: string): number | null;
  deliveries(): string[];
  readonly counts: { duplicates: number; gaps: number; outOfOrder: number; resets: number };
};

type Track = { base: number; mark: number; highest: number; seen: Set<number>; early: Set<number> };

/** Marks without any events. */
export function createMarks(): Marks {
  const tracks = new Map<string, Track>();
  const counts = { duplicates: 0, gaps: 0, outOfOrder: 0, resets: 0 };
  const track = (deliveryId: string, base = 0): Track => {
    const known = tracks.get(deliveryId);
    if (known !== undefined) return known;
    const fresh = { base, mark: base, highest: base, seen: new Set<number>(), early: new Set<number>() };
    tracks.set(deliveryId, fresh);
    return fresh;
  };
  return {
    of: (deliveryId) => tracks.get(deliveryId)?.mark ?? 0,
    lastSeq: () => Object.fromEntries([...tracks].map(([deliveryId, { mark }]) => [deliveryId, mark])),
    begin: (deliveryId, sequence) => void track(deliveryId, sequence),
    arrive(event) {
      const own = track(event.delivery_id);
      noteOrder(own, event.sequence, counts);
      if (event.sequence <= own.mark) {
        counts.duplicates += 1;
        return 'duplicate';
      }
      if (event.sequence > own.mark + 1) {
        counts.gaps += 1;
        return 'gap';
      }
      take(own, event.sequence);
      return 'taken';
    },
    behind: (top) => Object.keys(top).filter((id) => (top[id] ?? 0) > (tracks.get(id)?.mark ?? 0)),
    resynced(deliveryId, answer) {
      const own = track(deliveryId);
      if ('reset' in answer) {
        counts.resets += 1;
        own.mark = Math.max(own.mark, answer.snapshot.sequence);
        return [];
      }
      const fresh = answer.events.filter(({ sequence }) => sequence > own.mark);
      for (const { sequence } of fresh) take(own, sequence);
      own.mark = Math.max(own.mark, answer.through);
      return fresh;
    },
    reconnected() {
      for (const own of tracks.values()) {
        own.highest = own.mark;
        own.early.clear();
      }
    },
    seen: (deliveryId) => tracks.get(deliveryId)?.seen ?? new Set(),
    base: (deliveryId) => tracks.get(deliveryId)?.base ?? null,
    deliveries: () => [...tracks.keys()],
    counts,
  };
}

function take(own: Track, sequence: number): void {
  own.seen.add(sequence);
  own.mark = sequence;
}

/**
 * If an event arrives for the first time after a newer one on the same connection, it is out of order, with or without
 * a gap.
 */
function noteOrder(own: Track, sequence: number, counts: { outOfOrder: number }): void {
  const isRepeat = sequence <= own.mark || own.early.has(sequence);
  if (sequence < own.highest && !isRepeat) counts.outOfOrder += 1;
  own.highest = Math.max(own.highest, sequence);
  own.early.add(sequence);
  if (own.early.size > 200) own.early.clear();
}
