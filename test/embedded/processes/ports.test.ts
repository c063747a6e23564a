import { createServer } from 'node:http';
import { expect, test } from 'vitest';
import { freePort, listensOn } from '../../../src/embedded/processes/ports.ts';
import { openPort } from '../../open-port.ts';

test('[E19] a process is known to listen on a port, and to listen not', async () => {
  const server = createServer();
  const port = Number(new URL(await openPort(server)).port);
  try {
    expect(listensOn(process.pid, port)).toBe(true);
    expect(listensOn(process.ppid, port)).toBe(false);
    expect(listensOn(process.pid, await freePort())).toBe(false);
    expect(listensOn(2 ** 22 + 1, port)).toBe(false);
  } finally {
    server.close();
  }
  expect(listensOn(process.pid, port)).toBe(false);
});
