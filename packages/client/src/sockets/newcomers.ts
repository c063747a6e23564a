/** The times of a delivery that a snapshot or an event shows to a vendor. */
export type Times = { readonly created_at?: string; readonly updated_at?: string };

/** Tells deliveries that began after a feed did from older ones, so that only the events of the former are requested. */
export type Newcomers = {
  /** Learns from a snapshot when the feed began. */
  learn(deliveryId: string, delivery: Times): void;
  /** Whether a delivery without a mark began while the feed was away, so that its first events were missed. */
  isNew(delivery: Times | undefined): boolean;
};

/** The service shows the open deliveries that have changed in this time. One that it does not show at first is older. */
const SHOWN_MS = 15 * 60_000;
/** A beacon names what changed in the last minute. After a gap in the service's log it also names the minute before. */
const FRESH_MS = 65_000;

/**
 * The clock of the service may differ from that of this machine, so times of the service are compared if any are known. A feed
 * that continues began with the newest delivery of its earlier run. Another one began with the newest time in its first snapshots,
 * and without any at the time of this machine, less some minutes.
 * @param lastSeq the marks of the earlier run; without any, the feed is a new one
 * @param isFirst whether no connection was lost yet
 */
export function createNewcomers(lastSeq: Readonly<Record<string, number>>, isFirst: () => boolean): Newcomers {
  const continues = Object.keys(lastSeq).length > 0;
  let newest: number | null = null;
  const startedAt = Date.now() - SHOWN_MS;
  return {
    learn: (deliveryId, { created_at: createdAt, updated_at: updatedAt }) => {
      // Deliveries that an earlier run knew may have changed since, and others may be new.
      if (continues ? !Object.hasOwn(lastSeq, deliveryId) : !isFirst()) return;
      const times = [createdAt, continues ? undefined : updatedAt].flatMap((time) =>
        time === undefined ? [] : [time],
      );
      newest = Math.max(newest ?? -Infinity, ...times.map((time) => Date.parse(time)));
    },
    isNew: (delivery) => {
      if (delivery?.created_at === undefined) return false;
      // Until then nobody knows when this feed began.
      if (continues ? newest === null : isFirst()) return false;
      return Date.parse(delivery.created_at) > (newest ?? startedAt);
    },
  };
}

/** Whether a beacon may name what happened before a feed. The feed begins with its first connection. */
export function createFreshness(lastSeq: Readonly<Record<string, number>>, isFirst: () => boolean) {
  const isNew = Object.keys(lastSeq).length === 0;
  let endsAt = Infinity;
  return {
    /** The feed has a connection. */
    begin: (): void => void (endsAt = Math.min(endsAt, performance.now() + FRESH_MS)),
    isFresh: (): boolean => isNew && isFirst() && performance.now() < endsAt,
  };
}
