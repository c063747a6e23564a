import { API_VERSION } from '../../src/domain/deliveries/events.ts';

const DAY_MS = 86_400_000;
/** Times from two days before the recording to 35 days after it were made by the clock. All others stand in the test. */
const BEFORE_MS = 2 * DAY_MS;
const AFTER_MS = 35 * DAY_MS;
/** Spans within an example become whole steps, because no two runs take the same time. */
const STEP_MS = 5000;
const MINUTE_MS = 60_000;
/** The moment at which every example begins. */
const BEGIN_AT = Date.parse(`${API_VERSION}T12:00:00Z`);

const ID = /\b([a-z]{3})_[0-7][0-9a-hjkmnp-tv-z]{25}\b/g;
const ID_BODY = '01kam8p3v7ecqtx5b2n9dsw4';
const TIME = /\b\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?Z/g;
const DATE = /^\d{4}-\d{2}-\d{2}$/;

/** What changes from run to run or is secret, and what stands in its place. The order counts. */
const REPLACED: readonly (readonly [RegExp, string])[] = [
  [/http:\/\/127\.0\.0\.1:\d+(?=\/(?:t|files|docs|sandbox)\/)/g, 'https://dispatch.example.com'],
  [/http:\/\/(?:127\.0\.0\.1|localhost):\d+\/?[a-z]*/g, 'https://vendor.example.com/webhooks'],
  [/(?<=\/checkout\/\w+\/)[\w-]{16,}/g, 'made-up-signature'],
  [/(?<=\/t\/)[0-9A-Za-z]{16,}/g, 'MadeUpTokenOfALink0000'],
  [/(?<=\/files\/)[\w.-]{16,}/g, 'made-up-token-of-a-file'],
  [/\bdsk_(test|live)_[0-9A-Za-z]+/g, `dsk_$1_${'MadeUp'.repeat(6)}00`],
  [/\bwhsec_[0-9A-Za-z+/]+=*/g, `whsec_${'MadeUp'.repeat(7)}0=`],
  [/\beyJ[\w-]+\.[\w-]+\.[\w-]+/g, 'eyJhbGciOiJFZERTQSJ9.bWFkZS11cA.bWFkZS11cA'],
  [/\+4915100\d{6}\b/g, '+4915100000001'],
  [/\b[\w.]+\.stf_\w+@/g, 'staff@'],
];

/** Values that are replaced whole, by the name of their field. */
const BY_NAME: Readonly<Record<string, string | number>> = {
  refresh_token: 'made-up-refresh-token',
  password: 'a made-up password',
  current_password: 'a made-up password',
  new_password: 'another made-up password',
  last4: 'Up00',
  took_ms: 48,
  next_cursor: 'bWFkZS11cA.bWFkZS11cA',
  hash: 'f'.repeat(64),
  previous_hash: 'e'.repeat(64),
};

/**
 * The example with made-up ids, secrets and times, so that two recordings of the same test give the same text.
 * @param recordedAt when it was recorded, milliseconds since 1970
 */
export function makeUp<T>(example: T, recordedAt: number): T {
  const times: number[] = [];
  visit(example, (value) => times.push(...timesIn(value, recordedAt)));
  const first = Math.min(...times);
  const ids = new Map<string, string>();
  const moved = (time: number): number => (isNear(time, recordedAt) ? BEGIN_AT + wholeSteps(time - first) : time);
  return visit(example, (value, name) => {
    const known = BY_NAME[name];
    if (known !== undefined) return known;
    if (typeof value === 'number') return moved(value);
    if (DATE.test(value)) return movedDate(value, recordedAt);
    const plain = REPLACED.reduce((text, [from, to]) => text.replace(from, to), value);
    return plain
      .replaceAll(ID, (id, prefix: string) => madeUpId(ids, id, prefix))
      .replaceAll(TIME, (time) => new Date(moved(Date.parse(time))).toISOString());
  }) as T;
}

function wholeSteps(spanMs: number): number {
  const step = spanMs < MINUTE_MS ? STEP_MS : MINUTE_MS;
  return Math.round(spanMs / step) * step;
}

type Leaf = string | number;

/** The value with each text and number in it replaced by what `change` gives. */
function visit(value: unknown, change: (leaf: Leaf, name: string) => unknown, name = ''): unknown {
  if (typeof value === 'string' || typeof value === 'number') return change(value, name);
  if (Array.isArray(value)) return value.map((each: unknown) => visit(each, change, name));
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).map(([key, each]) => [visit(key, change), visit(each, change, key)]);
  return Object.fromEntries(fields) as object;
}

function timesIn(value: Leaf, recordedAt: number): number[] {
  const found = typeof value === 'number' ? [value] : (value.match(TIME) ?? []).map((time) => Date.parse(time));
  return found.filter((time) => isNear(time, recordedAt));
}

function isNear(time: number, recordedAt: number): boolean {
  return time > recordedAt - BEFORE_MS && time < recordedAt + AFTER_MS;
}

/** Ids of a kind are numbered in the order in which the example names them. */
function madeUpId(ids: Map<string, string>, id: string, prefix: string): string {
  const count = [...ids.values()].filter((each) => each.startsWith(`${prefix}_`)).length + 1;
  const made = ids.get(id) ?? `${prefix}_${ID_BODY}${String(count).padStart(2, '0')}`;
  ids.set(id, made);
  return made;
}

function movedDate(date: string, recordedAt: number): string {
  const time = Date.parse(date);
  if (!isNear(time, recordedAt)) return date;
  const days = Math.floor(time / DAY_MS) - Math.floor(recordedAt / DAY_MS);
  return new Date(BEGIN_AT + days * DAY_MS).toISOString().slice(0, 10);
}
