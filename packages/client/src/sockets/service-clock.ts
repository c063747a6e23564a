import { createClient } from '../client.ts';
import { hasJumped, spanMs, thisMoment, type Moment } from './moments.ts';

/** The clock of the service. The clock of a phone may differ from it by hours. */
export type ServiceClock = {
  /** The time of the service at a moment of this machine, epoch ms. */
  at(moment: Moment): number;
  /** Whether the service was asked since the last connection, sleep or change of the wall clock. */
  isRead(): boolean;
  /** Asks the service, once for all who wait. The last known time goes on if it does not answer. */
  read(): Promise<void>;
  /** Makes the clock one that is not read. Until it is read, the last known time goes on. */
  forget(): void;
};

export function createServiceClock(baseUrl: string | readonly string[]): ServiceClock {
  const { service } = createClient({ baseUrl, retries: { most: 1 }, timeoutMs: 5000 });
  // Until the service has answered, the clock of this machine stands for its clock.
  let told = { now: Date.now(), scale: 1, heardAt: thisMoment() };
  let readAt: Moment | null = null;
  let reading: Promise<void> | null = null;

  async function ask(isWanted: () => boolean): Promise<void> {
    const askedAt = thisMoment();
    try {
      const { now, clock_scale: scale } = await service.getHealth();
      const heardAt = thisMoment();
      if (!isWanted()) return;
      // If the machine slept since the question, the answer may be as old as the sleep.
      if (hasJumped(askedAt, heardAt)) return await ask(isWanted);
      told = { now, scale, heardAt: middleOf(askedAt, heardAt) };
    } catch {
      // The service does not answer now. After the next connection or sleep it is asked again.
    }
    if (isWanted()) readAt = thisMoment();
  }
  return {
    at: (moment) => told.now + spanMs(told.heardAt, moment) * told.scale,
    isRead: () => readAt !== null && !hasJumped(readAt, thisMoment()),
    read: () => {
      if (reading !== null) return reading;
      const asking: Promise<void> = ask(() => reading === asking).finally(() => {
        if (reading === asking) reading = null;
      });
      reading = asking;
      return asking;
    },
    forget: () => {
      // An answer to a question from before does not count.
      reading = null;
      readAt = null;
    },
  };
}

/** The service answers about in the middle of a request. */
function middleOf(from: Moment, to: Moment): Moment {
  return { steadyMs: (from.steadyMs + to.steadyMs) / 2, wallMs: (from.wallMs + to.wallMs) / 2 };
}
