import { createHash } from 'node:crypto';
import { isTerminal } from '../../domain/deliveries/lifecycle.ts';
import type { State } from '../../domain/deliveries/states.ts';
import { endsOn } from '../../engines/retention.ts';
import type { Settings } from '../../settings.ts';
import type { AnyRow, Migration, Tools, Walk } from './migration.ts';

type Rule = {
  readonly name: string;
  readonly kept: keyof Settings['retention'];
  /** The fields that show whether a row is closed. */
  readonly fields: readonly string[];
  /** Returns the rows that are closed, and so should have a date. */
  readonly closed: (rows: readonly AnyRow[], tools: Tools) => readonly AnyRow[] | Promise<readonly AnyRow[]>;
  /** A condition that a row must still meet when it is dated: some rows are opened again. */
  readonly still?: object;
};

// One row per line: this is a table.
// oxfmt-ignore
const RULES: readonly Rule[] = [
  { name: 'quotes',        kept: 'quotesMs',   fields: [],              closed: (rows) => rows },
  { name: 'offer_history', kept: 'offersMs',   fields: [],              closed: (rows) => rows },
  { name: 'alarms',        kept: 'alarmsMs',   fields: ['clearedAt'],   closed: (rows) => rows.filter((row) => row['clearedAt'] !== null), still: { clearedAt: { $ne: null } } },
  { name: 'attempts',      kept: 'attemptsMs', fields: ['state'],       closed: (rows) => rows.filter((row) => row['state'] !== 'due'), still: { state: { $ne: 'due' } } },
  // Only claims of a created delivery expire. The claim of a courier or a registration stays for ever.
  { name: 'claims',        kept: 'claimsMs',   fields: ['holder'],      closed: (rows) => rows.filter((row) => String(row['holder']).startsWith('del_')) },
  { name: 'events',        kept: 'eventsMs',   fields: ['delivery_id'], closed: ofEnded },
];

/** Old rows expire later by up to this share of their span, so that rows dated together do not all expire together. */
const SPREAD = 0.1;

/**
 * Closed rows have `endsOn`, when the database deletes them (ADR 22). Old rows get it as if they were closed now. The
 * real time is stored in a different field of each kind of row, and not at all in events.
 */
export const dateClosedRows: Migration = {
  name: 'date_closed_rows',
  replaces: [],
  walks: RULES.map(walkOf),
  drops: [],
};

function walkOf({ name, kept, fields, closed, still = {} }: Rule): Walk {
  return {
    name,
    fields: ['endsOn', ...fields],
    mend: async (rows, tools) => {
      const undated = rows.filter((row) => row['endsOn'] === undefined);
      const keptMs = tools.settings.retention[kept];
      return (await closed(undated, tools)).map((row) => {
        // The events of a delivery expire together. The delivery is also their shard key.
        const deliveryId = idOf(row);
        const of = deliveryId === null ? {} : { delivery_id: deliveryId };
        const ends = endsOn(tools.clock, keptMs * (1 + SPREAD * shareOf(deliveryId ?? row._id)));
        const filter = { ...still, ...of, _id: row._id, endsOn: { $exists: false } };
        return { updateOne: { filter, update: { $set: { endsOn: ends } } } };
      });
    },
  };
}

/** Selects the events whose delivery has ended. */
async function ofEnded(events: readonly AnyRow[], { mongo }: Tools): Promise<readonly AnyRow[]> {
  const ids = [...new Set(events.flatMap((row) => idOf(row) ?? []))];
  const deliveries = mongo.db.collection<{ readonly _id: string; readonly state: State }>('deliveries');
  const states = await deliveries.find({ _id: { $in: ids } }, { projection: { state: 1 } }).toArray();
  const ended = new Set(states.filter(({ state }) => isTerminal(state)).map(({ _id }) => _id));
  return events.filter((row) => ended.has(idOf(row) ?? ''));
}

/** The delivery of an event; null for any other row. */
function idOf({ delivery_id: id }: AnyRow): string | null {
  return typeof id === 'string' ? id : null;
}

/** Returns a share from 0 to 1 that looks random but is always the same for this key. */
function shareOf(key: string): number {
  return createHash('sha256').update(key).digest().readUInt32BE() / 2 ** 32;
}
