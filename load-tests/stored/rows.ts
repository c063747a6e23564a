// Rows that are written to the database as fast as it accepts them.
import type { DomainEvent } from '../../src/domain/deliveries/events.ts';
import type { Mongo } from '../../src/engines/mongo.ts';
import { eventRow, type EventRow } from '../../src/models/deliveries/events/event-rows.ts';

/** Inserts rows in any order. One copy of the data confirms them. */
export async function insertRows(db: Mongo['db'], name: string, rows: readonly { _id: string }[]): Promise<void> {
  const options = { ordered: false, writeConcern: { w: 1 } };
  await db.collection<{ _id: string }>(name).insertMany([...rows], options);
}

/** An event as it is stored when webhooks and analytics have heard of it. */
export function heardRow(event: DomainEvent, ends: Date | null): EventRow {
  const row = eventRow(event, ends);
  return { ...row, webhooks: 'done', ...(row.counted === undefined ? {} : { counted: 'done' }) };
}
