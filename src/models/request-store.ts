import { createHmac } from 'node:crypto';
import type { mongo } from 'mongoose';
import { newId } from '../domain/ids.ts';
import { createGroups } from '../work/groups.ts';
import type { Mongo } from '../engines/mongo.ts';
import { endsOn } from '../engines/retention.ts';
import { createInserts } from '../engines/together.ts';
import type { Clock } from '../ports/process.ts';
import type { KeptAnswer, RequestKey, RequestStore, Taken, Turn } from '../ports/requests.ts';
import type { Settings } from '../settings.ts';
import { seal, unseal } from './secrets/seal.ts';
import { REQUESTS, type RequestRow } from './request-shape.ts';

/** How long a process that stops answering keeps the right to run a request, machine time. */
const LEASE_MS = 10_000;
/** A larger answer is not stored. The next try runs again, and makes and returns the same objects. */
const MOST_ANSWER_BYTES = 262_144;
/** If a failover takes back a stored answer, the next try runs again, so that a majority need not have the answer. */
const FAST = { writeConcern: { w: 1 } } as const;

type Keys = {
  readonly answers: Buffer;
  readonly entropy: Buffer;
  readonly bodies: Buffer;
  /** The fingerprints of the key begin with it. */
  readonly name: string;
};
type Store = {
  readonly rows: mongo.Collection<RequestRow>;
  readonly keys: Keys;
  readonly clock: Clock;
  readonly insert: (row: RequestRow) => Promise<boolean>;
};

/** Keeps requests and their answers. `key` (32 bytes) encrypts the answers at rest, hides the bodies and derives secrets. */
export function createRequestStore(
  mongo: Mongo,
  key: Buffer,
  clock: Clock,
  { retention }: Pick<Settings, 'retention'>,
): RequestStore {
  const rows = mongo.collection(REQUESTS);
  const keys = {
    answers: deriveKey(key, 'answers of requests'),
    entropy: deriveKey(key, 'secrets made by requests'),
    bodies: deriveKey(key, 'bodies of requests'),
    name: `${deriveKey(key, 'name of the key of requests').toString('base64url').slice(0, 8)}.`,
  };
  const store: Store = { rows, keys, clock, insert: createInserts(clock, rows) };
  const keep = createAnswers(clock, rows);
  const lease = async ({ request, name }: Turn, leasedUntil: number): Promise<void> => {
    await rows.updateOne({ _id: request, turn: name, answer: null }, { $set: { leasedUntil } }, FAST);
  };
  return {
    take: (request) => take(store, request, endsOn(clock, retention.requestsMs)),
    renew: (turn) => lease(turn, clock.real.now() + LEASE_MS),
    release: (turn) => lease(turn, 0),
    finish: async (turn, answer) => {
      const sealed = seal(keys.answers, JSON.stringify(answer));
      if (sealed.length > MOST_ANSWER_BYTES) {
        await lease(turn, 0);
        return answer;
      }
      // Two tries may have run the request with one effect. Both return the answer that is stored first.
      if (await keep({ id: turn.request, sealed })) return answer;
      const row = await rows.findOne({ _id: turn.request });
      return (row === null ? null : openAnswer(keys.answers, row)) ?? answer;
    },
    forget: async ({ request, name }) => {
      await rows.deleteOne({ _id: request, turn: name, answer: null }, FAST);
    },
  };
}

async function take(store: Store, { id, fingerprint: plain }: RequestKey, ends: Date): Promise<Taken> {
  const { rows, clock, keys } = store;
  // A reader of the database could guess a password fast with a plain hash of the body.
  const fingerprint = `${keys.name}${createHmac('sha256', keys.bodies).update(plain).digest('base64url')}`;
  const now = clock.real.now();
  const name = newId('req');
  const leased = { turn: name, leasedUntil: now + LEASE_MS };
  const row = {
    _id: id,
    fingerprint,
    seed: name.slice(-26),
    ...leased,
    changed: null,
    answer: null,
    endsOn: ends,
    begunAt: clock.now(),
  };
  if (await store.insert(row)) return { state: 'ours', turn: { ...turnOf(store, row), isRetry: false } };
  const found = await rows.findOne({ _id: id });
  if (found === null) return { state: 'running' };
  if (isOfThisKey(store, found) && found.fingerprint !== fingerprint) return { state: 'reused' };
  const answer = openAnswer(keys.answers, found);
  if (answer !== null) return { state: 'answered', answer };
  // An answer that another key has sealed helps nobody: another try makes the same effect and its answer again.
  if (found.answer === null && found.leasedUntil > now) return { state: 'running' };
  const unchanged = { _id: id, turn: found.turn, leasedUntil: found.leasedUntil, answer: found.answer };
  const next = { $set: { ...leased, answer: null, endsOn: ends } };
  const taken = await rows.findOneAndUpdate(unchanged, next, { returnDocument: 'after' });
  return taken === null ? { state: 'running' } : { state: 'ours', turn: { ...turnOf(store, taken), isRetry: true } };
}

/** Says whether the row was made with the present key of the server. */
function isOfThisKey({ keys }: Store, { fingerprint }: Pick<RequestRow, 'fingerprint'>): boolean {
  return fingerprint.startsWith(keys.name);
}

/**
 * Stores answers of requests that have none. Answers that wait at the same time are one command. The result is false if
 * the request may have another answer.
 */
function createAnswers(
  clock: Clock,
  rows: Store['rows'],
): (answer: { readonly id: string; readonly sealed: string }) => Promise<boolean> {
  return createGroups(clock, async (answers) => {
    const updates = answers.map(({ id, sealed }) => ({
      updateOne: { filter: { _id: id, answer: null }, update: { $set: { answer: sealed } } },
    }));
    const { matchedCount } = await rows.bulkWrite(updates, { ...FAST, ordered: false });
    // The command tells only how many were stored. If some were not, each caller reads its own.
    return answers.map(() => ({ status: 'fulfilled', value: matchedCount === answers.length }));
  });
}

function turnOf(store: Store, row: RequestRow): Omit<Turn, 'isRetry'> {
  const { _id, turn, seed, changed, begunAt = store.clock.now() } = row;
  // Entropy of another key would make another secret than the one that is stored.
  const entropy = isOfThisKey(store, row)
    ? createHmac('sha256', store.keys.entropy).update(`${_id} ${seed}`).digest()
    : null;
  return { request: _id, name: turn, seed, entropy, changed, begunAt };
}

function deriveKey(key: Buffer, purpose: string): Buffer {
  return createHmac('sha256', key).update(purpose).digest();
}

/** The stored answer; null if there is none, or if it was stored with another key. */
function openAnswer(key: Buffer, { answer }: RequestRow): KeptAnswer | null {
  const text = answer === null ? null : unseal(key, answer);
  return text === null ? null : (JSON.parse(text) as KeptAnswer);
}
