import { describe, type DescribedPath } from '../src/engines/shapes/describe.ts';
import type { AnyShape, Before } from '../src/engines/shapes/shape.ts';
import { COLLECTIONS, SHAPES_VERSION } from '../src/models/collections.ts';

/** The lines of the reference of what is stored: a section for each collection. */
export function dataModel(): string[] {
  return [
    'This page lists everything that the server stores in MongoDB, collection by collection. Each collection has a validator',
    `from the same schema as this page, so MongoDB refuses any other document. The shapes have version ${SHAPES_VERSION}.`,
    '',
    'A document always has a path unless its type says *may be missing*. Whole numbers and fractions are both *number*.',
    ...COLLECTIONS.toSorted((a, b) => (a.name < b.name ? -1 : 1)).flatMap(section),
  ];
}

function section({ name, holds, kept, shardKey, indexes, schemas, before }: AnyShape): string[] {
  return [
    '',
    `## ${name}`,
    '',
    holds,
    '',
    `- **Kept**: ${kept}`,
    `- **Shard key**: ${shardKey === null ? 'none; the collection stays whole.' : `\`${keyOf(shardKey)}\``}`,
    `- **Indexes**:${indexes.length === 0 ? ' that of `_id` alone.' : ''}`,
    ...indexes.map((index) => `  - \`${keyOf(Object.fromEntries(Object.entries(index.key)))}\`${traitsOf(index)}`),
    ...(before === undefined ? [] : [`- **Documents of the release before**: ${olderForm(before)}`]),
    ...Object.entries(schemas).flatMap(([kind, schema]) => table(kind, describe(schema))),
  ];
}

/** How documents of the release before differ. */
function olderForm({ lacks, has = {} }: Before): string {
  const only = Object.keys(has);
  const extra = only.length === 0 ? '' : ` and may have ${listed(only)}`;
  return `they may lack ${listed(lacks)}${extra}.`;
}

function listed(paths: readonly string[]): string {
  return paths.map((path) => `\`${path}\``).join(', ');
}

function keyOf(key: Readonly<Record<string, unknown>>): string {
  return Object.entries(key)
    .map(([path, order]) => `${path}: ${String(order)}`)
    .join(', ');
}

function traitsOf({
  unique,
  sparse,
  expireAfterSeconds,
  partialFilterExpression,
}: AnyShape['indexes'][number]): string {
  const traits = [
    ...(unique === true ? ['unique'] : []),
    ...(sparse === true ? ['only documents with the path'] : []),
    ...(expireAfterSeconds === undefined ? [] : ['deletes the document at that date']),
    ...(partialFilterExpression === undefined
      ? []
      : [`only documents with \`${JSON.stringify(partialFilterExpression)}\``]),
  ];
  return traits.length === 0 ? '' : ` (${traits.join('; ')})`;
}

function table(kind: string, paths: readonly DescribedPath[]): string[] {
  const rows = paths.map(({ path, type, isAlwaysThere, note }) => {
    return `| \`${path}\` | ${type}${isAlwaysThere ? '' : '; may be missing'} | ${note} |`;
  });
  const title = kind === '' ? [] : ['', `### The document \`${kind}\``];
  return [...title, '', '| Path | Type | Meaning |', '|---|---|---|', ...rows];
}
