import type { CourierActions, CourierSnapshot } from '../generated/messages.ts';

/** Deliveries whose assignment is remembered, far more than a courier carries at once. */
const MOST_KNOWN = 100;

/** The assignments of a courier, as the latest snapshots show them. */
export type Assignments = {
  learn(snapshot: CourierSnapshot): void;
  /** The body of an action. It names the assignment of its delivery, so that a late repeat changes nothing of a later one. */
  bodyOf<A extends keyof CourierActions>(body: CourierActions[A]): CourierActions[A];
};

export function createAssignments(): Assignments {
  const times = new Map<string, string>();
  return {
    learn: ({ delivery_id: deliveryId, delivery }) => {
      times.delete(deliveryId);
      times.set(deliveryId, delivery.assigned_at);
      for (const oldest of [...times.keys()].slice(0, -MOST_KNOWN)) times.delete(oldest);
    },
    bodyOf: (body) => {
      if (!('delivery_id' in body)) return body;
      const assignedAt = times.get(body.delivery_id);
      return assignedAt === undefined ? body : { assigned_at: assignedAt, ...body };
    },
  };
}
