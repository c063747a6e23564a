// Reads the matcher's decisions about the deliveries of a run, at the end, over REST and as staff.
import type { Api } from '../../clients/api.ts';
import type { Session } from '../../../packages/client/src/credentials.ts';

/** A run of the matcher that made an offer for the delivery, or gave it another verdict than the run before. */
export type Decision = {
  /** Service time in ms when the run had read its inputs and began to decide. */
  readonly at: number;
  readonly verdict: string;
  /** Couriers whose offer was opened by this run. */
  readonly asked: readonly string[];
};

/** By delivery, the oldest first. */
export type Decisions = ReadonlyMap<string, readonly Decision[]>;

type Page = {
  readonly data: readonly { readonly at: string; readonly verdict: string; readonly asked: readonly string[] }[];
  readonly has_more: boolean;
  readonly next_cursor: string | null;
};

const AT_ONCE = 8;

/** Reads all decisions about these deliveries. @throws ServiceProblem if they cannot be read */
export async function readDecisions(api: Api, staff: Session, deliveryIds: readonly string[]): Promise<Decisions> {
  const waiting = deliveryIds.values();
  const all = new Map<string, readonly Decision[]>();
  // The workers share one iterator.
  const workers = Array.from({ length: AT_ONCE }, async () => {
    for (const deliveryId of waiting) all.set(deliveryId, await readOf(api, staff, deliveryId));
  });
  await Promise.all(workers);
  return all;
}

async function readOf(api: Api, staff: Session, deliveryId: string): Promise<Decision[]> {
  const newestFirst: Decision[] = [];
  let cursor: string | null = null;
  do {
    const after: string = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const path = `/dispatch/decisions/${deliveryId}?limit=100${after}`;
    const page: Page = await api.call<Page>('GET', path, { token: await staff.token() });
    newestFirst.push(...page.data.map(({ at, verdict, asked }) => ({ at: Date.parse(at), verdict, asked })));
    cursor = page.has_more ? page.next_cursor : null;
  } while (cursor !== null);
  return newestFirst.toReversed();
}
