// Readers of the events: the vendor's systems, and a tracking page of each delivery.
import { createHistogram } from 'node:perf_hooks';
import type { Api } from '../clients/api.ts';
import type { ServiceTime } from '../clients/service-time.ts';
import { startReader, type Reader } from '../simulate/people/reader.ts';
import type { Read } from './report.ts';

export type Kept = {
  /** Counts the events of the readers. The log of each delivery ends with this number. */
  count(last: ReadonlyMap<string, number>): Read;
  close(): void;
};

type Around = {
  readonly api: Api;
  readonly time: ServiceTime;
  readonly onServerError: (what: string) => void;
};
type Own = { readonly reader: Reader; readonly received: Map<string, number> };

/** Starts readers of everything that the vendor has. They also tell how late each event came, ms. */
export async function readAsVendor(around: Around, key: string, readers: number, onLag: (ms: number) => void) {
  return keep(
    Array.from({ length: readers }, () =>
      start(around, '/vendor', key, (createdAt) => onLag(Math.max(0, Math.round(Date.now() - createdAt)))),
    ),
  );
}

/** Opens a tracking page of each delivery. */
export async function readPages(around: Around, key: string, deliveryIds: readonly string[]): Promise<Kept> {
  const tokens = await Promise.all(
    deliveryIds.map(async (id) => {
      const { url } = await around.api.call<{ url: string }>('GET', `/deliveries/${id}/tracking-url`, { token: key });
      return url.slice(url.lastIndexOf('/') + 1);
    }),
  );
  return keep(tokens.map((token) => start(around, '/track', token, () => undefined)));
}

function start(
  { api, time, onServerError }: Around,
  namespace: '/vendor' | '/track',
  token: string,
  onReceived: (createdAt: number) => void,
): Own {
  const received = new Map<string, number>();
  const reader = startReader({
    addresses: api.addresses,
    namespace,
    token: () => Promise.resolve(token),
    time,
    positionLag: createHistogram(),
    fromTheStart: false,
    onServerError,
    onEvent: ({ id, created_at: createdAt }) => {
      received.set(id, (received.get(id) ?? 0) + 1);
      onReceived(Date.parse(createdAt));
    },
  });
  return { reader, received };
}

async function keep(all: readonly Own[]): Promise<Kept> {
  await Promise.all(all.map(({ reader }) => reader.connection.whenLive()));
  const sum = (of: (own: Own) => number): number => all.reduce((total, own) => total + of(own), 0);
  return {
    count: (last) => {
      const dueOf = ({ reader: { marks } }: Own): number =>
        marks.deliveries().reduce((due, id) => due + Math.max(0, (last.get(id) ?? 0) - (marks.base(id) ?? 0)), 0);
      const seenOf = ({ reader: { marks } }: Own): number =>
        marks.deliveries().reduce((seen, id) => seen + marks.seen(id).size, 0);
      return {
        readers: all.length,
        due: sum(dueOf),
        lost: sum((own) => Math.max(0, dueOf(own) - seenOf(own))),
        doubled: sum(({ received }) => [...received.values()].reduce((extra, times) => extra + times - 1, 0)),
        outOfOrder: sum(({ reader }) => reader.marks.counts.outOfOrder),
        reconnects: sum(({ reader }) => reader.connection.reconnects()),
      };
    },
    close: () => {
      for (const { reader } of all) reader.close();
    },
  };
}
