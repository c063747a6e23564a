// The plan by which a kept database is filled, so that another run can go on with it.
import type { mongo } from 'mongoose';
import type { DemoFacts } from '../servers/fleet.ts';
import type { People } from './endings.ts';

/** Deliveries that a rebuild has counted, and the seconds that it took. */
type Counted = { readonly deliveries: number; readonly inS: number };
export type Plan = {
  readonly people: People;
  /** When the last delivery ended, epoch ms. */
  readonly now: number;
  readonly counted: Counted | null;
};

const rowsOf = (db: mongo.Db) => db.collection<Plan & { readonly _id: string }>('bench_plan');

/** The plan of this database. If it has none, stores the new one with its vendors and locations. */
export async function openPlan(db: mongo.Db, newPlan: () => Plan, facts: DemoFacts): Promise<Plan> {
  const found = await rowsOf(db).findOne({ _id: 'plan' });
  if (found !== null) return found;
  const plan = newPlan();
  await storePeople(db, plan.people, facts);
  await rowsOf(db).insertOne({ _id: 'plan', ...plan });
  return plan;
}

/** Remembers that a rebuild has counted the deliveries. */
export async function markCounted(db: mongo.Db, counted: Counted): Promise<void> {
  await rowsOf(db).updateOne({ _id: 'plan' }, { $set: { counted } });
}

/** Stores the vendors and locations that the demo does not have, each as a copy of the demo's. */
async function storePeople(db: mongo.Db, { vendors }: People, facts: DemoFacts): Promise<void> {
  const copies = async (name: string, of: string, ids: readonly { id: string; sets?: object }[]): Promise<void> => {
    const rows = db.collection<{ _id: string }>(name);
    const original = await rows.findOne({ _id: of });
    if (original === null) throw new Error(`the demo has no ${of}`);
    if (ids.length > 0) await rows.insertMany(ids.map(({ id, sets }) => ({ ...original, ...sets, _id: id, id })));
  };
  const others = vendors.filter(({ id }) => id !== facts.vendor.id);
  await copies('vendors', facts.vendor.id, others);
  const places = vendors.flatMap(({ id: vendorId, locations }) => locations.map((id) => ({ id, sets: { vendorId } })));
  await copies('locations', facts.vendor.location_id, places);
}
