import { REQUESTS } from '../../../src/models/request-shape.ts';
import type { House } from '../house.ts';

/** Makes the database as it is after a crash between the effect of a request and its answer, when the lease has lapsed. */
export async function crashAfterEffect({ mongo }: Pick<House, 'mongo'>): Promise<void> {
  await mongo.collection(REQUESTS).updateMany({}, { $set: { answer: null, leasedUntil: 0 } });
}
