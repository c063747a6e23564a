import { settingGroups } from '../src/config.ts';
import { EVENTS } from '../src/domain/deliveries/events.ts';
import { BOOKS, diagram, TRANSITIONS, type Row } from '../src/domain/deliveries/lifecycle.ts';
import { REFUSALS } from '../src/domain/refusals/refusals.ts';
import { VERBS, type Verb } from '../src/domain/deliveries/states.ts';
import { STOP_TRANSITIONS, STOP_VERBS, type StopVerb } from '../src/domain/deliveries/stops/stop-lifecycle.ts';
import { openapi } from '../src/http/openapi/openapi.ts';
import { asyncapi } from '../src/realtime/asyncapi.ts';
import { clientCode } from './client-code.ts';
import { clientMessages } from './client-messages.ts';
import { dataModel } from './data-model.ts';

const NOTE = '`npm run docs` generates this page from the code and overwrites all changes.';

/** Every generated document by its path from `docs/`, and the generated code of the client. */
export function generated(): Record<string, string> {
  return {
    'lifecycle.md': lifecycle(),
    'events.md': events(),
    'refusals.md': refusals(),
    'settings.md': settings(),
    'data-model.md': page('Data model', dataModel()),
    'openapi.json': json(openapi()),
    'asyncapi.json': json(asyncapi()),
    ...inClient({ ...clientCode(), 'messages.ts': clientMessages() }),
  };
}

function inClient(files: Record<string, string>): Record<string, string> {
  const folder = '../packages/client/src/generated';
  return Object.fromEntries(Object.entries(files).map(([name, text]) => [`${folder}/${name}`, text]));
}

function lifecycle(): string {
  const rows = TRANSITIONS.map((row: Row) => {
    const from = row.from.map((state) => state ?? '–').join(', ');
    const own = row.when === undefined ? [] : [row.when];
    const guards = listed([...own, ...guardsAtStop(AT_STOP[row.verb])]);
    return `| \`${row.verb}\` | ${from} | ${row.to} | ${row.by.join(', ')} | ${guards} | \`${row.emits}\` | ${row.books ?? '–'} |`;
  });
  const stops = STOP_TRANSITIONS.map(({ verb, from, to, when }) => {
    const verbs = VERBS.filter((name) => AT_STOP[name] === verb).map((name) => `\`${name}\``);
    return `| ${listed(verbs)} | ${from.join(', ')} | ${to} | ${listed(when.map(({ name }) => name))} |`;
  });
  return page('Life of a delivery', [
    '```mermaid',
    diagram(),
    '```',
    '',
    '| Verb | From | To | By | Guard | Event | Books |',
    '|---|---|---|---|---|---|---|',
    ...rows,
    '',
    'The server refuses any other pair of state and verb with `invalid_state_transition`, which leaves no trace.',
    '',
    '## Money',
    '',
    'The column *Books* says what a verb books in the ledger, in the transaction of the change itself. A delivery with money',
    'to reserve begins only if the wallet has it. Its end is never refused for a lack of money.',
    '',
    ...Object.entries(BOOKS).map(([name, means]) => `- \`${name}\`: ${means}`),
    '',
    '## Stops',
    '',
    'This table says what a verb does to its stop: to the pickup, to the drop-off that it names, or to every open drop-off if',
    'it cancels. If there are several drop-offs, each `deliver` or `fail` ends one of them. Only the last one ends the delivery.',
    '',
    '| Verb | From | To | Guard |',
    '|---|---|---|---|',
    ...stops,
    '',
    'The server refuses any other pair with `stop_not_open`. A cancel does not change stops that have ended.',
  ]);
}

const AT_STOP: Partial<Record<Verb, StopVerb>> = STOP_VERBS;

function guardsAtStop(verb: StopVerb | undefined): string[] {
  return STOP_TRANSITIONS.filter((row) => row.verb === verb).flatMap(({ when }) => when.map(({ name }) => name));
}

function listed(words: readonly string[]): string {
  return words.length === 0 ? '–' : words.join(', ');
}

function events(): string {
  const rows = Object.entries(EVENTS).map(
    ([type, { to, webhook, means }]) => `| \`${type}\` | ${means} | ${to.join(', ')} | ${webhook} |`,
  );
  return page('Events', ['| Event | Meaning | Read in full by | Webhook |', '|---|---|---|---|', ...rows]);
}

function refusals(): string {
  const rows = Object.entries(REFUSALS).map(([code, { status, title }]) => `| \`${code}\` | ${status} | ${title} |`);
  return page('Refusals', ['| Code | Status | Title |', '|---|---|---|', ...rows]);
}

function settings(): string {
  const groups = settingGroups().flatMap(({ title, rows }) => [
    '',
    `## ${title}`,
    '',
    '| Variable | Default | Range | Meaning and reason |',
    '|---|---|---|---|',
    ...rows.map(({ name, value, range, reason }) => `| \`${name}\` | ${value} | ${range} | ${reason} |`),
  ]);
  return page('Settings', [
    'Every setting is an environment variable. A name that ends with `_REAL_MS` is machine time in milliseconds. Any other',
    '`_MS` is service time, which runs as fast as machine time unless `CLOCK_SCALE` says otherwise. Ranges include both ends.',
    ...groups,
  ]);
}

function page(title: string, lines: readonly string[]): string {
  return [`# ${title}`, '', NOTE, '', ...lines, ''].join('\n');
}

function json(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
