// Measurements on a site: times of requests at a steady rate, documents read, and how late a due search begins.
import { setTimeout as pause } from 'node:timers/promises';
import { atSteadyRate } from '../clients/steady-rate.ts';
import { spreadOf } from '../statistics.ts';
import { GETS, type Get } from './gets.ts';
import type { Site } from './site.ts';

export type Times = { readonly p50: number; readonly p95: number };

/**
 * Sends the request this often a second for this long. Returns the waits from when each was due, ms.
 * @throws Error if an answer is not 200
 */
export async function timesOf(site: Site, get: Get, rate: number, seconds: number): Promise<Times> {
  const answers = await atSteadyRate({ rate, seconds }, (_sent, dueAt) =>
    site.ask(get).then(() => performance.now() - dueAt, asError),
  );
  const failed = answers.find((answer) => answer instanceof Error);
  if (failed !== undefined) throw failed;
  const { p50, p95 } = spreadOf(answers.filter((answer) => typeof answer === 'number'));
  return { p50, p95 };
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}

const READS_OF_EACH = 5;

/** The most documents that one query reads for a page of each list and search, by the name of the request. */
export async function docsReadBy(site: Site): Promise<Map<string, number>> {
  const { db } = site.mongo;
  const read = new Map<string, number>();
  for (const get of GETS.filter(({ isList }) => isList === true)) {
    await db.command({ profile: 0 });
    await db.dropCollection('system.profile').catch(() => false);
    await db.command({ profile: 2 });
    for (let time = 0; time < READS_OF_EACH; time += 1) await site.ask(get);
    await db.command({ profile: 0 });
    // Queries of lists name their index. Queries that the server makes on its own do not.
    const queries = { 'command.hint': { $exists: true }, 'command.find': { $exists: true } };
    const found = await db.collection('system.profile').find(queries).toArray();
    if (found.length === 0) throw new Error(`${get.name}: the database reported no query with a hint`);
    read.set(get.name, Math.max(0, ...found.map(({ docsExamined }) => Number(docsExamined))));
  }
  return read;
}

const SEARCHES = 10;
const LEAD_MS = 20 * 60_000;
const DUE_IN_MS = 3000;
const WAIT_MS = 30_000;
type Made = { readonly id: string; readonly dueAt: number };

/** How late the search for each of ten scheduled deliveries began, ms. @throws if one does not begin within 30 s */
export async function latenessOfSearches(site: Site): Promise<number[]> {
  const made: Made[] = [];
  for (let count = 0; count < SEARCHES; count += 1) made.push(await schedule(site));
  const late: number[] = [];
  for (const { id, dueAt } of made) {
    const startedAt = await whenSearching(site, id);
    late.push(startedAt - dueAt);
    await site.api.call('POST', `/deliveries/${id}/cancel`, { token: site.facts.vendor.api_key, body: {} });
  }
  return late;
}

/** A delivery whose search is due in three seconds. */
async function schedule({ api, facts }: Site): Promise<Made> {
  const readyAt = Date.now() + LEAD_MS + DUE_IN_MS;
  const { lat, lng } = facts.center;
  const window = {
    ready_at: new Date(readyAt).toISOString(),
    deadline_at: new Date(readyAt + 1_800_000).toISOString(),
  };
  const contact = { name: 'Somebody there', phone: '+4930901820' };
  const body = {
    priority: 'scheduled',
    pickup: { location_id: facts.vendor.location_id, window },
    drop_off: [{ coordinates: { lat: lat + 0.003, lng }, address: 'Market Square 2', contact }],
  };
  const { id } = await api.call<{ id: string }>('POST', '/deliveries', { token: facts.vendor.api_key, body });
  return { id, dueAt: readyAt - LEAD_MS };
}

async function whenSearching({ api, facts }: Site, id: string): Promise<number> {
  const deadline = performance.now() + WAIT_MS;
  while (performance.now() < deadline) {
    const path = `/deliveries/${id}/history`;
    const { data } = await api.call<{ data: { type: string; created_at: string }[] }>('GET', path, {
      token: facts.vendor.api_key,
    });
    const begun = data.find(({ type }) => type === 'delivery.searching');
    if (begun !== undefined) return Date.parse(begun.created_at);
    await pause(200);
  }
  throw new Error(`the search of ${id} did not begin`);
}
