import type { DomainEvent } from '../../src/domain/deliveries/events.ts';
import type { EventLog } from '../../src/ports/deliveries.ts';

/** A log that a test can make wait: readers of the past at a gate, and the live stream at another. */
export function gatedLog(log: EventLog) {
  const waiting: (() => void)[] = [];
  const live: DomainEvent[] = [];
  const onGaps: (() => void)[] = [];
  const gate = { listsWait: false, streamWaits: false, listed: 0, gap: () => onGaps.forEach((onGap) => onGap()) };
  const listeners: ((event: DomainEvent) => void)[] = [];
  const tell = (event: DomainEvent): void => listeners.forEach((listener) => listener(event));
  /** The first follower stands for all, since the log tells each of them the same. */
  const pass = (event: DomainEvent): void => void (gate.streamWaits ? live.push(event) : tell(event));
  const eventLog: EventLog = {
    ...log,
    list: async (...asked) => {
      gate.listed += 1;
      const events = await log.list(...asked);
      if (gate.listsWait) await new Promise<void>((resolve) => void waiting.push(resolve));
      return events;
    },
    follow: (listener, onGap) => {
      const isFirst = listeners.length === 0;
      listeners.push(listener);
      onGaps.push(onGap);
      return isFirst ? log.follow(pass, gate.gap) : Promise.resolve(() => undefined);
    },
  };
  return {
    eventLog,
    gate,
    live,
    repeat: tell,
    openLists: () => {
      gate.listsWait = false;
      for (const go of waiting.splice(0)) go();
    },
    openStream: () => {
      gate.streamWaits = false;
      for (const event of live.splice(0)) tell(event);
    },
    waitingLists: () => waiting.length,
  };
}
