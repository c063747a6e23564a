import type { CourierSnapshot } from '../generated/messages.ts';

/** Deliveries whose assignment is remembered, far more than a courier carries at once. */
const MOST_KNOWN = 100;

/** The assignments of a courier, as the latest snapshots show them. */
export type Assignments = {
  learn(snapshot: CourierSnapshot): void;
  /** The body of an action on a delivery. It names the assignment, so that a late repeat changes nothing of a later one. */
  nameIn<B extends { readonly assigned_at?: string | undefined }>(deliveryId: string, body: B): B;
};

export function createAssignments(): Assignments {
  const times = new Map<string, string>();
  return {
    learn: ({ delivery_id: deliveryId, delivery }) => {
      times.delete(deliveryId);
      times.set(deliveryId, delivery.assigned_at);
      for (const oldest of [...times.keys()].slice(0, -MOST_KNOWN)) times.delete(oldest);
    },
    nameIn: (deliveryId, body) => {
      const assignedAt = times.get(deliveryId);
      return assignedAt === undefined ? body : { assigned_at: assignedAt, ...body };
    },
  };
}
