import { newId, type Id, type Prefix } from '../../domain/ids.ts';
import { Refusal } from '../../domain/refusals/refusals.ts';
import type { Commit } from '../../ports/changes.ts';
import type { Context } from '../../ports/context.ts';
import type { Turn } from '../../ports/requests.ts';
import { withEffects } from '../../dispatch/change-delivery.ts';

/** The parts that a request gives to its use case, so that all its tries have one effect together. */
export type Once = {
  /** A new id. The first id of each prefix is the same in every try of a request with a key. */
  readonly newId: <P extends Prefix>(prefix: P) => Id<P>;
  /**
   * Returns 32 bytes for a secret, the same in every try of the request. Null if the request has no key. Refuses
   * `idempotency_secret_lost` if an earlier try may have made a secret that this one cannot make again.
   */
  readonly entropy: () => Uint8Array | null;
  /** When the first try of the request began, service time in ms. Null if the request has no key, so this is that try. */
  readonly begunAt: number | null;
};

/** A request without a key is tried once. */
export const UNKEYED: Once = { newId, entropy: () => null, begunAt: null };

/** The ids and the secret of a request with a key. */
export function onceFor({ seed, entropy, begunAt }: Turn): Once {
  const given = new Set<Prefix>();
  return {
    begunAt,
    newId: (prefix) => {
      if (given.has(prefix)) return newId(prefix);
      given.add(prefix);
      return `${prefix}_${seed}`;
    },
    entropy: () => {
      if (entropy === null) throw new Refusal('idempotency_secret_lost');
      return entropy;
    },
  };
}

/**
 * The same commit, but the first change of the request is made once, however often the request is tried. The birth of a
 * delivery needs no mark, because its id is the same in every try.
 */
export function commitOnce({ commit, confirmed }: Pick<Context, 'commit' | 'confirmed'>, turn: Turn): Commit {
  const ownId = `del_${turn.seed}` as const;
  let earlierId = turn.changed ?? (turn.isRetry ? ownId : null);
  let isOver = false;
  const once: Commit = async (change) => {
    if (isOver) return commit(change);
    const mark = { kind: 'mark_request', request: turn.request, deliveryId: change.after.id } as const;
    const result = await commit(change.after.id === ownId ? change : withEffects(change, [mark]));
    if (result.ok) isOver = true;
    else if (result.why === 'repeated') earlierId = result.deliveryId;
    return result;
  };
  const findEarlier: Commit['findEarlier'] = async () => {
    if (isOver || earlierId === null) return null;
    const delivery = await confirmed.findDelivery(earlierId);
    isOver = delivery !== null;
    return delivery;
  };
  return Object.assign(once, { isRepeat: turn.changed !== null, findEarlier });
}
