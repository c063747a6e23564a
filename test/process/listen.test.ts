import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { listen } from '../../src/process/listen.ts';
import { runSource } from '../e2e/commands.ts';
import { keptLog } from '../kept-ports.ts';

test('[Z66] if the port is in use, the start ends with one sentence before it starts engines', async () => {
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  const folder = mkdtempSync(path.join(tmpdir(), 'dispatch-port-'));
  onTestFinished(() => {
    other.close();
    rmSync(folder, { recursive: true });
  });
  const { port } = other.address() as AddressInfo;
  const dataDir = path.join(folder, 'data');
  const ended = await runSource('main', [], { PORT: String(port), DATA_DIR: dataDir });
  expect(ended).toEqual({
    code: 1,
    out: '',
    err: `Port ${port} is in use. Stop the program that uses it, or set PORT to another port. PORT=0 takes any free port.\n`,
  });
  expect(existsSync(dataDir)).toBe(false);
});

test('[O91] a port stays open through connections that cannot be accepted, and the log has one line about them', async () => {
  const server = createHttpServer((_request, response) => response.end('served'));
  onTestFinished(() => void server.close());
  const log = keptLog();
  const port = await listen(server, 0, '127.0.0.1', log);
  // Node reports them so.
  for (const code of ['EMFILE', 'ENFILE', 'ENOBUFS']) server.emit('error', new Error(`accept ${code}`));
  expect(log.lines).toEqual([
    { level: 'error', fields: { error: 'accept EMFILE' }, message: 'a connection could not be accepted' },
  ]);
  const response = await fetch(`http://127.0.0.1:${port}`, { headers: { connection: 'close' } });
  expect(await response.text()).toBe('served');
});
