import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import type { Target } from '../../../load-tests/attacks/kinds/attack.ts';
import { pingFlood } from '../../../load-tests/attacks/kinds/ping-flood.ts';
import { parseAttackOptions } from '../../../load-tests/attacks/options.ts';
import { KINDS, type Kind } from '../../../load-tests/attacks/others/others.ts';
import { judge, tableOf, type AttackReport, type Observed } from '../../../load-tests/attacks/report.ts';
import { runAttacks } from '../../../load-tests/attacks/run.ts';
import { ATTACKS } from '../../../load-tests/attacks/kinds/table.ts';
import { testEngines } from '../../engines.ts';

test('[T30] all attacks run unless some are named, and an unknown name is refused', () => {
  const all = ATTACKS.map(({ name }) => name);
  expect(parseAttackOptions([])?.only).toEqual(all);
  expect(parseAttackOptions(['--only', 'connect-flood'])?.only).toEqual(['connect-flood']);
  expect(() => parseAttackOptions(['--only', 'nothing'])).toThrow(`--only nothing: the attacks are ${all.join(', ')}`);
  expect(new Set(all).size).toBe(all.length);
});

/** A phase in which every action of a kind took the same time. */
function aPhase(ms: number, over: Partial<Record<Kind, number>> = {}, lost = 0, cpuShare = 0.2): Observed {
  const waits = Object.fromEntries(KINDS.map((kind) => [kind, [over[kind] ?? ms]])) as Record<Kind, number[]>;
  return { waits, failures: lost, retries: 0, cpuShare };
}

function judged(quiet: Observed[], during: Observed[], more: { peakMb?: number; figures?: object } = {}): AttackReport {
  const memory = { beforeMb: 200, peakMb: more.peakMb ?? 210 };
  const figures = { packets: 1, ...more.figures };
  return judge({ name: 'a' }, { quiet, during, figures: [figures], memory });
}

test('[T31] the waits of other users may grow by 20 ms or by half, whichever is more', () => {
  expect(judged([aPhase(10)], [aPhase(30)]).problems).toEqual([]);
  expect(judged([aPhase(100)], [aPhase(150)]).problems).toEqual([]);
  expect(judged([aPhase(10)], [aPhase(10, { ping: 31 })]).problems).toEqual([
    'ping took 31.0 ms at p99, 10.0 ms in quiet times',
  ]);
  expect(judged([aPhase(100)], [aPhase(151)]).problems).toHaveLength(KINDS.length);
});

test('[T31] one disturbed round does not decide, but a phase without answers fails', () => {
  const calm = [aPhase(10), aPhase(10), aPhase(10)];
  expect(judged(calm, [aPhase(10), aPhase(900), aPhase(10)]).problems).toEqual([]);
  const silent: Observed = { ...aPhase(10), waits: { list: [], create: [], ping: [], track: [] } };
  expect(judged(calm, [silent]).problems).toHaveLength(KINDS.length);
});

test('[T31] lost requests, memory and an attack that does nothing fail the run', () => {
  expect(judged([aPhase(10)], [aPhase(10, {}, 2)]).problems).toEqual([
    '2 requests of others were refused or lost, 0 in quiet times',
  ]);
  expect(judged([aPhase(10)], [aPhase(10)], { peakMb: 351 }).problems).toEqual([
    'the server took 151 MB more, above 150',
  ]);
  expect(judged([aPhase(10)], [aPhase(10)], { figures: { packets: 0 } }).problems).toEqual(['the attack did nothing']);
});

/** The problems of a flood with these rounds: its connections, those that the server closed, and the longest time open. */
function floodedIn(...rounds: [connections: number, closed: number, mostMs: number][]): readonly string[] {
  const figures = rounds.map(([connections, closed, mostMs]) => ({
    connections,
    'refused connections': 7,
    closed_by_server: closed,
    most_ms_open: mostMs,
  }));
  const [quiet, during] = [[aPhase(10)], [aPhase(10)]];
  return judge({ name: 'a', mostMsOpen: 6000 }, { quiet, during, figures, memory: null }).problems;
}

test('[Y55] a flood must be closed by the server in each round, within 6 s', () => {
  expect(floodedIn([2, 1, 6000], [1, 1, 50])).toEqual([]);
  expect(floodedIn([2, 2, 900], [1, 0, 900], [1, 0, 12_000])).toEqual([
    'round 2: the server closed no connection of the flood',
    'round 3: a connection of the flood was open for 12000 ms, above 6000',
  ]);
  expect(floodedIn([2, 1, 6001])).toEqual(['round 1: a connection of the flood was open for 6001 ms, above 6000']);
});

test('[Y55] a round in which a flood had no connection fails', () => {
  expect(floodedIn([2, 1, 900], [0, 0, 0])).toEqual(['round 2: no connection of the flood was let in']);
});

const LOGIN = '/auth/token';
test.each([
  ['the login of staff', LOGIN, 1],
  ['the onboarding', '/couriers/onboard', 1],
  ['the activation', '/couriers/cou_1/activate', 1],
  ['the login of the courier', LOGIN, 2],
])('[T31] a flood of pings fails if the server refuses %s', async (_what, path, nth) => {
  let seen = 0;
  const server = createServer((request, answer) => {
    const isRefused = request.url === path && (seen += 1) === nth;
    request.resume();
    answer.statusCode = isRefused ? 429 : 200;
    answer.end(JSON.stringify({ id: 'cou_1', access_token: 'a' }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const target: Target = {
    baseUrl: `http://127.0.0.1:${port}`,
    host: '127.0.0.1',
    port,
    facts: {
      center: { lat: 0, lng: 0 },
      vendor: { id: 'ven_1', api_key: 'key', location_id: 'loc_1' },
      staff: { email: 'staff@demo.example', password: 'secret' },
    },
    trackingToken: 'a',
    deliveryId: 'del_1',
    localAddress: undefined,
  };
  await expect(pingFlood.run(target, AbortSignal.timeout(2000))).rejects.toThrow(`POST ${path}: 429`);
});

test('[Y56] the CPU time of an attack is that in which its phases exceed the quiet ones', () => {
  const withCpu = (...shares: number[]) => shares.map((share) => aPhase(10, {}, 0, share));
  const textOf = (attack: AttackReport) => tableOf({ attacks: [attack], problems: [], wallS: 1 }).join('\n');
  expect(textOf(judged(withCpu(0.2, 0.21, 0.9), withCpu(0.26, 0.25, 0.1)))).toContain(
    '21.0 % quiet, 25.0 % during, so 4.0 % for the attack',
  );
  expect(textOf(judged(withCpu(NaN), withCpu(NaN)))).toMatch(/CPU of a core +not known/);
});

test('[T31] attacks run against a real server while other users work with it', async () => {
  const { mongoUrl, redisUrl, keyPrefix } = testEngines('attacks');
  const only = ['--only', 'connect-flood', '--only', 'ping-flood'];
  const options = parseAttackOptions([...only, '--seconds', '1', '--rounds', '1']);
  if (options === null) throw new Error('the options ask for a run');
  const engines = { mongoUrl, redisUrl, stop: () => Promise.resolve() };
  const { attacks } = await runAttacks(options, { engines, environment: { REDIS_PREFIX: keyPrefix } }, () => {});
  expect(attacks.map(({ name }) => name)).toEqual(['connect-flood', 'ping-flood']);
  for (const { kinds, memory, cpuShare, figures } of attacks) {
    // The speed of this machine proves nothing. The test checks that each kind was measured in both phases.
    const counts = Object.values(kinds).flatMap(({ quiet, during }) => [quiet.count, during.count]);
    expect(counts).toHaveLength(2 * KINDS.length);
    expect(Math.min(...counts)).toBeGreaterThan(0);
    expect(memory?.peakMb).toBeGreaterThan(0);
    expect(Math.min(cpuShare.quiet, cpuShare.during)).toBeGreaterThan(0);
    expect(figures['packets']).toBeGreaterThan(0);
  }
  const [handshakes, pings] = attacks;
  expect(handshakes?.figures['closed_by_server']).toBeGreaterThan(0);
  expect(pings?.figures['answers']).toBeGreaterThan(0);
  const problems = attacks.flatMap((attack) => attack.problems);
  expect(problems.filter((problem) => problem.includes('of the flood'))).toEqual([]);
});
