import type { DomainEvent } from '../../src/domain/deliveries/events.ts';
import type { EventLog } from '../../src/ports/deliveries.ts';

/** A log that a test can make wait: readers of the past at a gate, and the live stream at another. */
export function gatedLog(log: EventLog) {
  const waiting: (() => void)[] = [];
  const live: DomainEvent[] = [];
  const gate = { listsWait: false, streamWaits: false, listed: 0, gap: (): void => undefined };
  let tell: (event: DomainEvent) => void = () => undefined;
  const eventLog: EventLog = {
    ...log,
    list: async (...asked) => {
      gate.listed += 1;
      const events = await log.list(...asked);
      if (gate.listsWait) await new Promise<void>((resolve) => void waiting.push(resolve));
      return events;
    },
    follow: (listener, onGap) => {
      gate.gap = onGap;
      tell = listener;
      return log.follow((event) => void (gate.streamWaits ? live.push(event) : listener(event)), onGap);
    },
  };
  return {
    eventLog,
    gate,
    live,
    repeat: (event: DomainEvent) => tell(event),
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
