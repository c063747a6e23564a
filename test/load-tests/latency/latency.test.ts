import { createServer } from 'node:http';
import { expect, test } from 'vitest';
import { parseOptions } from '../../../load-tests/bench-latency.ts';
import { withCpu } from '../../../load-tests/latency/cpu.ts';
import { waitsOf } from '../../../load-tests/latency/measure.ts';
import { judge, lastLine, tableOf, type Round } from '../../../load-tests/latency/report.ts';
import { KINDS, type Sent } from '../../../load-tests/latency/requests.ts';
import { openPort } from '../../open-port.ts';

const EVEN: Round = { p50: 5, p99: 20, max: 30, cpu: { server: 2.5, engines: 1.5, client: 0.5 } };
const STALL_MS = 300;
const ONE = { rate: 200, servers: 1 };

function levelOf(p99s: readonly number[]) {
  const waits = KINDS.map((kind) => ({ kind, rounds: p99s.map((p99) => ({ ...EVEN, p99 })) }));
  return { deliveries: 1000, waits, parts: [], faults: [] as string[] };
}

test('[Y40] a run fails if the median p99 of a create is above 60 ms, and names the request', () => {
  const good = judge(ONE, [levelOf([20, 60, 300])]);
  expect(good.problems).toEqual([]);
  expect(lastLine(good)).toMatch(/^ok 6 kinds of requests at 200\/s with 1000 stored deliveries/);
  const bad = judge(ONE, [levelOf([20, 61, 300])]);
  expect(bad.problems).toHaveLength(3);
  expect(lastLine(bad)).toMatch(
    /^failed: POST \/express\/deliveries, one vendor with 1000 stored: p99 61\.0 ms, the limit is 60 ms/,
  );
});

test('[Y43] with several servers the limit is 100 ms, and a fault of the money fails a run', () => {
  const many = { rate: 200, servers: 2 };
  expect(judge(many, [levelOf([100])]).problems).toEqual([]);
  expect(judge(many, [levelOf([101])]).problems).toHaveLength(3);
  const fault = 'one hold is doubled';
  expect(lastLine(judge(many, [{ ...levelOf([20]), faults: [fault] }]))).toBe(`failed: ${fault}`);
});

test('[Y41] a request that had to wait for the one before it counts from when it was due', async () => {
  let isFirst = true;
  // While it answers the first request, the server answers no other, as a stopped process would.
  const server = createServer((_request, response) => {
    if (isFirst) {
      isFirst = false;
      const until = performance.now() + STALL_MS;
      while (performance.now() < until) continue;
    }
    response.end('{}');
  });
  const base = await openPort(server);
  const get: Sent = { method: 'GET', path: '/', headers: {}, body: null };
  const { p50 } = await waitsOf([base], { name: 'GET /', status: 200 }, () => get, { rate: 50, seconds: 0.4 });
  await new Promise((resolve) => server.close(resolve));
  // The server stood still while 15 of the 20 requests were due.
  expect(p50).toBeGreaterThan(STALL_MS / 10);
});

test('[Y42] the table says how much CPU each request cost the server, the engines and the client', async () => {
  const [head, , one] = tableOf(judge(ONE, [levelOf([20])]));
  expect(head?.split(/ +/).slice(-6)).toEqual(['p50', 'p99', 'max', 'server', 'engines', 'client']);
  expect(one?.split(/ +/).slice(-3)).toEqual(['2.5', '1.5', '0.5']);
  const BUSY_MS = 200;
  // This process is its own server here. It has no engines.
  const { cpu } = await withCpu(new Map([['server', process.pid]]), 10, async () => {
    const from = process.cpuUsage();
    while (process.cpuUsage(from).user < BUSY_MS * 1000) continue;
    return {};
  });
  expect(cpu.client).toBeGreaterThanOrEqual(BUSY_MS / 10);
  // The system counts in steps of 10 ms.
  expect(cpu.server).toBeGreaterThanOrEqual(BUSY_MS / 10 - 2);
  expect(cpu.engines).toBe(0);
});

test('[Y12] the options of the bench are read, and an invalid one is refused with a sentence', () => {
  expect(parseOptions([])).toMatchObject({ deliveries: [100_000, 1_000_000], rate: 200, vendors: 1000 });
  expect(() => parseOptions(['--rate', '0'])).toThrow('--rate must be a whole number from 1 to 2000');
});
