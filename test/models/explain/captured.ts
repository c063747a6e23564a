/** Explains the commands that a connection has sent. */
import type { mongo } from 'mongoose';
import type { Mongo } from '../../../src/engines/mongo.ts';

type Command = Record<string, unknown>;

/** The cost of one query. `docs` are those that it reads, or the keys if an aggregate reads more of them. `keys` are those of the index. `limit` is the most documents that it may read and return; null if it does not set a limit. */
export type Cost = {
  readonly name: string;
  readonly collection: string;
  readonly stages: readonly string[];
  readonly docs: number;
  readonly keys: number;
  readonly given: number;
  readonly limit: number | null;
  readonly command: string;
};

const QUERIES = ['find', 'aggregate', 'update', 'delete', 'findAndModify', 'count', 'distinct'];
/** The stages of an aggregate that return each row as they read it, or leave it out. */
const READING: ReadonlySet<string> = new Set(['$match', '$sort', '$limit', '$project']);
/** Fields that belong to the session or the connection, and not to the query. */
const AROUND = [
  'lsid',
  'txnNumber',
  'autocommit',
  'startTransaction',
  'readConcern',
  'writeConcern',
  'maxTimeMS',
  'ordered',
];

/** Keeps the queries that the connection sends. The connection must have the option `monitorCommands`. */
export function captureCommands({ connection, db }: Mongo): { taken(): Command[] } {
  let seen: Command[] = [];
  connection.getClient().on('commandStarted', ({ commandName, command, databaseName }) => {
    if (databaseName === db.databaseName && QUERIES.includes(commandName)) seen.push(command as Command);
  });
  return {
    taken: () => {
      const taken = seen;
      seen = [];
      return taken;
    },
  };
}

/** Explains a command. Returns a cost for each statement, but none for change streams, which read no collection. */
export async function explain({ db }: Mongo, command: Command): Promise<Cost[]> {
  const costs: Cost[] = [];
  for (const statement of statementsOf(command)) {
    const told = await db.command({ explain: statement, verbosity: 'executionStats' });
    costs.push(costOf(statement, told));
  }
  return costs;
}

function statementsOf(command: Command): Command[] {
  const plain = Object.fromEntries(
    Object.entries(command).filter(([name]) => !name.startsWith('$') && !AROUND.includes(name)),
  );
  const stages = (plain['pipeline'] ?? []) as Command[];
  if (stages[0] !== undefined && '$changeStream' in stages[0]) return [];
  const unions = stages.flatMap((stage) => ('$unionWith' in stage ? [stage['$unionWith'] as Command] : []));
  if (unions.length > 0) {
    const own = stages.filter((stage) => !('$unionWith' in stage));
    const others = unions.map(({ coll, pipeline }): Command => ({ ...plain, aggregate: coll, pipeline }));
    return [{ ...plain, pipeline: own }, ...others];
  }
  const many = ['updates', 'deletes'].find((name) => name in plain);
  if (many === undefined) return [plain];
  return (plain[many] as Command[]).map((one) => ({ ...plain, [many]: [one] }));
}

function costOf(statement: Command, told: mongo.Document): Cost {
  const [name = '', collection] = Object.entries(statement)[0] ?? [];
  const cursor: mongo.Document = told['stages']?.[0]?.['$cursor'] ?? told;
  const stats: mongo.Document = cursor['executionStats'] ?? {};
  const last: mongo.Document = told['stages']?.at(-1) ?? stats;
  const stages = [...JSON.stringify(stats['executionStages'] ?? {}).matchAll(/"stage":"(\w+)"/g)].map(
    ([, stage]) => stage ?? '',
  );
  const keys = Number(stats['totalKeysExamined'] ?? 0);
  // A group over an index reads its keys, and no document. A distinct scan reads one key of each group.
  const readsKeys = name === 'aggregate' && !stages.includes('DISTINCT_SCAN');
  const { nMatched = 0, nWouldDelete = 0 } = (stats['executionStages'] ?? {}) as mongo.Document;
  return {
    name,
    collection: String(collection),
    stages,
    docs: Math.max(Number(stats['totalDocsExamined'] ?? 0), readsKeys ? keys : 0),
    keys,
    given: Math.max(Number(last['nReturned'] ?? 0), Number(nMatched), Number(nWouldDelete)),
    limit: limitOf(name, statement),
    command: JSON.stringify(statement, (_, value: unknown) =>
      typeof value === 'bigint' ? Number(value) : value,
    ).slice(0, 600),
  };
}

function limitOf(name: string, statement: Command): number | null {
  if (name === 'findAndModify') return 1;
  const [update] = (statement['updates'] ?? []) as Command[];
  const [removal] = (statement['deletes'] ?? []) as Command[];
  if ((update !== undefined && update['multi'] !== true) || removal?.['limit'] === 1) return 1;
  const stages = (statement['pipeline'] ?? []) as Command[];
  // A limit behind any other stage bounds what is returned, and not what is read.
  const reads = stages.findIndex((stage) => !Object.keys(stage).every((name) => READING.has(name)));
  const limiting = stages.slice(0, reads === -1 ? stages.length : reads).find((stage) => '$limit' in stage);
  const limit = statement['limit'] ?? limiting?.['$limit'];
  return typeof limit === 'number' && limit > 0 ? limit : null;
}
