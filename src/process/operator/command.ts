import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import type { z } from 'zod';
import type { Config } from '../../config.ts';
import { openCore } from '../../core.ts';
import { refuseSchema } from '../../domain/refusals/schema-errors.ts';
import { openMongo, type Mongo } from '../../engines/mongo.ts';
import { listOtherSecrets } from '../../models/secrets/secret-hashes.ts';
import type { Page, PageMark, PageRequest } from '../../ports/pages.ts';
import type { Log } from '../../ports/process.ts';
import type { Asking } from '../../vendors/edit.ts';
import { UsageError } from '../command-line.ts';
import type { EngineUrls } from '../open-engines.ts';
import { operatorName } from './operator-name.ts';

export type Environment = Readonly<Record<string, string | undefined>>;
type Core = Awaited<ReturnType<typeof openCore>>;
/** The work of a command whose arguments have been read. */
export type Deed = (core: Core, me: Asking) => Promise<object>;
type Site = { readonly config: Config; readonly urls: EngineUrls; readonly log: Log };
export type Command = (args: readonly string[], env: Environment) => (site: Site) => Promise<object>;

/** Most rows that a list prints. */
const MOST_LISTED = 1000;
const PAGE = 100;

/** A command that needs the stores of the server. Its entries in the audit log name the operator. */
export function onCore(command: (args: readonly string[], env: Environment) => Deed): Command {
  return (args, env) => {
    const run = command(args, env);
    return async ({ config, urls, log }) => {
      const core = await openCore(config, urls, log);
      const name = operatorName();
      const origin = { actor: { type: 'operator', id: name }, requestId: null, network: null } as const;
      const me: Asking = { type: 'internal', service: `operator ${name}`, expiresAt: Number.MAX_SAFE_INTEGER };
      try {
        return await core.parts.audit.within(origin, () => run(core, me));
      } finally {
        await core.close();
      }
    };
  };
}

/** A command that only reads the database. It must not raise the schema version, as a server does when it starts. */
export function onMongo(command: (args: readonly string[]) => (mongo: Mongo) => Promise<object>): Command {
  return (args) => {
    const run = command(args);
    return async ({ urls, log }) => {
      const mongo = await openMongo(urls.mongoUrl, log);
      try {
        return await run(mongo);
      } finally {
        await mongo.close();
      }
    };
  };
}

/** A command that stops if its secrets differ from those of the server, which would refuse the keys that it makes. */
export function withSameSecrets(command: (args: readonly string[], env: Environment) => Deed): typeof command {
  return (args, env) => {
    const run = command(args, env);
    return async (core, me) => {
      await refuseOtherSecrets(core);
      return run(core, me);
    };
  };
}

async function refuseOtherSecrets({ mongo, secrets }: Core): Promise<void> {
  const others = await listOtherSecrets(mongo, secrets);
  if (others.length === 0) return;
  throw new Error(
    `${others.join(', ')}: must be the same as on the server, which refuses keys and tokens made with other secrets. ` +
      'The command was not run.',
  );
}

/** The options of a command, each with a value. A switch stands alone. */
export function readOptions<K extends string>(
  args: readonly string[],
  names: readonly K[],
): Record<K, string | undefined> {
  const options = Object.fromEntries(names.map((name) => [name, { type: 'string' } as const]));
  return parseArgs({ args: [...args], options }).values as Record<K, string | undefined>;
}

/** Refuses an option that is missing. */
export function given(value: string | undefined, name: string): string {
  if (value === undefined || value === '') throw new UsageError(`${name} is missing.`);
  return value;
}

/** Where the value of an option belongs in the body of the route that does the same. */
export type Field = {
  readonly at: readonly [string] | readonly [string, string];
  readonly isNumber?: true;
  /** An empty value removes what is stored. */
  readonly isCleared?: true;
};

/**
 * Makes the body of a route from options, and reads it as the route does. A mistake names the option.
 * @param rest fields of the body that come from elsewhere
 */
export function readBody<S extends z.ZodType, K extends string>(
  schema: S,
  fields: Readonly<Record<K, Field>>,
  values: Readonly<Partial<Record<K, string | undefined>>>,
  rest: Readonly<Record<string, unknown>> = {},
): z.output<S> {
  const body: Record<string, unknown> = { ...rest };
  for (const [name, field] of Object.entries<Field>(fields)) {
    const text = values[name as K];
    if (text === undefined) continue;
    const [first, second] = field.at;
    const value = valueOf(text, field);
    body[first] = second === undefined ? value : { ...(body[first] as object | undefined), [second]: value };
  }
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  const { told, message } = refuseSchema(schema, body, parsed.error.issues);
  const sentences = told.errors?.map((error) => error.message) ?? [message];
  throw new UsageError(sentences.map((sentence) => withOptions(sentence, fields)).join('\n'));
}

function valueOf(text: string, { isNumber, isCleared }: Field): string | number | null {
  if (text === '') return isCleared === true ? null : text;
  // A blank text would count as 0.
  const number = text.trim() === '' ? NaN : Number(text);
  return isNumber === true && Number.isFinite(number) ? number : text;
}

/** Replaces the pointers of a sentence by the options that they come from. */
function withOptions(sentence: string, fields: Readonly<Record<string, Field>>): string {
  return sentence.replaceAll(/`(\/[^`]*)`/g, (quoted, pointer: string) => {
    const names = Object.entries(fields).filter(([, { at }]) => `/${at.join('/')}`.startsWith(pointer));
    return names.length === 0 ? quoted : names.map(([name]) => `--${name}`).join(' and ');
  });
}

/** The JSON of a file that the command line names. */
export async function readJson(file: string): Promise<unknown> {
  const text = await readFile(file, 'utf8').catch((error: Error) => {
    throw new UsageError(`${file} cannot be read: ${error.message}`);
  });
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new UsageError(`${file} is not valid JSON.`);
  }
}

/** All rows of a list, up to the most that a command prints. */
export async function collect<T>(list: (page: PageRequest) => Promise<Page<T>>) {
  const data: T[] = [];
  let after: PageMark | null = null;
  do {
    const page: Page<T> = await list({ limit: PAGE, after });
    data.push(...page.items);
    after = page.next;
  } while (after !== null && data.length < MOST_LISTED);
  return { data, has_more: after !== null };
}
