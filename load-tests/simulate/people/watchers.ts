// The readers of a run: the vendor's socket, and recipients who follow one delivery each.
import { ENDS, startReader, type Reader } from './reader.ts';
import type { PresentedEvent } from '../../clients/wire.ts';
import type { World } from './world.ts';

/** A recipient's view of one delivery. */
export type Watched = { readonly deliveryId: string; readonly reader: Reader; endedAt: number | null };

export type Watchers = {
  readonly vendor: Reader;
  readonly watched: readonly Watched[];
  readonly counts: { linksRefused: number };
  /** Deliveries whose end the vendor's socket has seen. */
  readonly ended: ReadonlySet<string>;
  close(): void;
};

/** A recipient stays this long after the end. Later events must be repetitions. */
const LINGER_MS = 3000;

/** Starts the vendor's socket. Watches deliveries when they are assigned, up to `recipients` of them at a time. */
export function startWatchers(world: World, recipients: number): Watchers {
  const watched: Watched[] = [];
  const ended = new Set<string>();
  const counts = { linksRefused: 0 };
  let running = 0;

  async function watch(deliveryId: string): Promise<void> {
    running += 1;
    try {
      const path = `/deliveries/${deliveryId}/tracking-url`;
      const { url } = await world.api.call<{ url: string }>('GET', path, { token: world.vendor.key });
      const token = url.slice(url.lastIndexOf('/') + 1);
      const own: Watched = { deliveryId, reader: track(token, (event) => onTracked(own, event)), endedAt: null };
      watched.push(own);
    } catch {
      // The run continues without the link, and fails at its end.
      counts.linksRefused += 1;
      running -= 1;
    }
  }
  const onTracked = (own: Watched, event: PresentedEvent): void => {
    if (!ENDS.includes(event.type) || own.endedAt !== null) return;
    own.endedAt = performance.now();
    setTimeout(() => {
      own.reader.close();
      running -= 1;
    }, LINGER_MS);
  };
  const track = (token: string, onEvent: (event: PresentedEvent) => void): Reader =>
    startReader({
      ...common(world),
      namespace: '/track',
      token: () => Promise.resolve(token),
      fromTheStart: false,
      onEvent,
    });
  const vendor = startReader({
    ...common(world),
    namespace: '/vendor',
    token: () => Promise.resolve(world.vendor.key),
    fromTheStart: true,
    onEvent: (event) => {
      if (ENDS.includes(event.type)) ended.add(event.delivery_id);
      if (event.type === 'courier.assigned' && running < recipients) void watch(event.delivery_id);
    },
  });
  return {
    vendor,
    watched,
    counts,
    ended,
    close: () => {
      vendor.close();
      for (const { reader } of watched) reader.close();
    },
  };
}

function common(world: World) {
  return {
    addresses: world.api.addresses,
    time: world.time,
    positionLag: world.tally.positionLag,
    onServerError: world.tally.onServerError,
  };
}
