import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { runSource } from '../e2e/commands.ts';

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
