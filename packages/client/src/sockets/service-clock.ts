import { createClient } from '../client.ts';

/** The clock of the service. The clock of a phone may differ from it by hours. */
export type ServiceClock = {
  /** The time of the service at a moment of `performance.now()`, epoch ms. */
  at(machineMs: number): number;
  /** Whether the service was asked. Until then the clock of this machine stands for it. */
  isRead(): boolean;
  /** Asks the service. The last known time goes on if it does not answer. */
  read(): Promise<void>;
};

export function createServiceClock(baseUrl: string | readonly string[]): ServiceClock {
  const { service } = createClient({ baseUrl, retries: { most: 1 }, timeoutMs: 5000 });
  let told = { now: Date.now(), scale: 1, heardAt: performance.now() };
  let isRead = false;
  return {
    at: (machineMs) => told.now + (machineMs - told.heardAt) * told.scale,
    isRead: () => isRead,
    read: async () => {
      const askedAt = performance.now();
      try {
        const { now, clock_scale: scale } = await service.getHealth();
        // The answer was made about in the middle of the request.
        told = { now, scale, heardAt: (askedAt + performance.now()) / 2 };
      } catch {
        // The service does not answer now. The next connection asks again.
      } finally {
        isRead = true;
      }
    },
  };
}
