import assert from 'node:assert';
import type { mongo } from 'mongoose';
import type { Clock } from '../ports/process.ts';
import { createGroups } from '../work/groups.ts';
import type { Mongo } from './mongo.ts';
import type { Shape } from './shapes/shape.ts';
import { presentTenant } from './tenants/tenants.ts';

type Question = { readonly name: string; readonly filter: mongo.Document };

/** Machine time between two pieces of work that are found at once. If all began together, requests would wait for them (ADR 108). */
const APART_MS = 50;
/** How long the questions of one command may take together at the database. */
const MOST_MS = 1000;

/** Groups the questions of each connection to MongoDB. */
const ASKS = new WeakMap<Mongo, (question: Question) => Promise<boolean>>();

/**
 * Says whether a collection has a row of this filter, for work that repeats and mostly finds nothing. Questions that are
 * asked at once are one command. If several of them find rows, the answers come 50 ms apart. The filter must lead to one
 * index. A vendor's request may not call this, because the command is not confined to the rows of that vendor.
 */
export async function isAny<Row extends mongo.Document>(
  on: Mongo,
  clock: Pick<Clock, 'real'>,
  { name }: Pick<Shape<Row>, 'name'>,
  filter: mongo.Filter<Row>,
): Promise<boolean> {
  assert(presentTenant() === null, 'only work of the server itself may share a command');
  const ask = ASKS.get(on) ?? createAsk(on, clock);
  ASKS.set(on, ask);
  return ask({ name, filter });
}

function createAsk({ db, log }: Mongo, clock: Pick<Clock, 'real'>): (question: Question) => Promise<boolean> {
  let isReported = false;
  const ask = createGroups<Question, boolean>(clock, async (questions) => {
    const [first, ...others] = questions;
    if (first === undefined) return [];
    const stages = others.map(({ name, filter }, index) => ({
      $unionWith: { coll: name, pipeline: stagesOf(filter, index + 1) },
    }));
    const pipeline = [...stagesOf(first.filter, 0), ...stages];
    const rows = db.collection(first.name).aggregate<{ _id: number }>(pipeline, { maxTimeMS: MOST_MS });
    const found = await rows.toArray().catch((error: unknown) => {
      // If one collection does not answer, the work of the others must go on. Only the first of several failures is logged.
      if (isReported || log.covers(error)) return null;
      isReported = true;
      log.warn({ error }, 'looks for due work fail together, so each reads its own rows');
      return null;
    });
    isReported &&= found === null;
    const answers = new Set(found?.map(({ _id: index }) => index));
    return questions.map((_question, index) => ({ status: 'fulfilled', value: found === null || answers.has(index) }));
  });
  let last = Promise.resolve();
  return async (question) => {
    if (!(await ask(question))) return false;
    const before = last;
    last = before.then(() => clock.real.pause(APART_MS));
    await before;
    return true;
  };
}

/** The index of the question if it has a row, otherwise nothing. */
function stagesOf(filter: mongo.Document, index: number): mongo.Document[] {
  return [{ $match: filter }, { $limit: 1 }, { $project: { _id: { $literal: index } } }];
}
