import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { testEngines } from '../engines.ts';
import { runSource } from './commands.ts';
import { PRODUCTION } from './production.ts';
import { startProcess } from './servers.ts';

const engines = testEngines('log-format');

/** The written lines. All of them must be lines of the log. */
function linesOf(text: string): Record<string, unknown>[] {
  const lines = text.split('\n').filter((line) => line !== '');
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

test('[Z47] in production the lines of start and stop are lines of the log', async () => {
  const port = await freePort();
  const server = await startProcess(engines, { ...PRODUCTION, PORT: String(port) }, () => `http://127.0.0.1:${port}`);
  expect(await server.stop()).toBe(0);
  const all = linesOf(server.output());
  const lines = all.filter(({ msg }) => String(msg).startsWith('the server '));
  expect(lines.map(({ msg }) => msg)).toEqual([
    'the server is ready',
    'the server is stopping',
    'the server has stopped',
  ]);
  expect(lines[0]).toMatchObject({ level: 30, base_url: 'https://delivery.example', port });
  for (const line of lines)
    expect(line).toMatchObject({ time: expect.any(Number) as number, pid: expect.any(Number) as number });
});

test('[Z47] in production a failed start explains itself in lines of the log, one for each mistake', async () => {
  const refused = await runSource('main', [], { NODE_ENV: 'production', PORT: 'x' });
  expect(refused).toMatchObject({ code: 1, out: '' });
  const lines = linesOf(refused.err);
  expect(lines.length).toBeGreaterThan(5);
  for (const line of lines)
    expect(line).toMatchObject({ level: 60, msg: expect.stringMatching(/^[A-Z_]+: /) as string });
});
