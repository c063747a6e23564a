import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect as dial, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { addressOf } from '../../../load-tests/engines/address.ts';
import { connect, openMongo } from '../../../src/engines/mongo.ts';
import { testEngines } from '../../engines.ts';
import { until } from '../../until.ts';
import { QUIET } from '../mongo-house.ts';

const { mongoUrl } = testEngines('waking-connection');

test(
  '[R28] a command is an error if its socket has ended and the process has not heard of it yet',
  { timeout: 30_000 },
  async () => {
    const sockets = new Set<Socket>();
    const note = (message: unknown): void => void sockets.add((message as { readonly socket: Socket }).socket);
    subscribe('net.client.socket', note);
    onTestFinished(() => void unsubscribe('net.client.socket', note));
    const mongo = await openMongo(mongoUrl, QUIET);
    onTestFinished(() => mongo.close());
    expect(sockets.size).toBeGreaterThan(0);
    // Their `close` follows at the end of this turn of the event loop. The command is written before it.
    for (const socket of sockets) socket.destroy();
    await expect(mongo.db.command({ ping: 1 })).rejects.toThrow(/closed/);
    await until(() => mongo.isReady());
  },
);

test('[R28] a command that MongoDB reads only in part is an error in time', { timeout: 30_000 }, async () => {
  const { socketPath, stopReading } = await openSocket();
  const url = `mongodb://${encodeURIComponent(socketPath)}/?directConnection=true`;
  const { connection, db } = await connect(url, 300);
  onTestFinished(() => connection.close());
  stopReading();
  // The socket of a whole command is empty soon. Only a long one fills the buffers of the system.
  await expect(db.command({ ping: 1, comment: 'x'.repeat(2_000_000) })).rejects.toThrow(/timed out/);
});

/** A path that leads to MongoDB until it takes nothing more. The buffers of such a socket are small. */
async function openSocket(): Promise<{ readonly socketPath: string; readonly stopReading: () => void }> {
  const folder = mkdtempSync(path.join(tmpdir(), 'dispatch-socket-'));
  const socketPath = path.join(folder, 'mongo.sock');
  const clients = new Set<Socket>();
  const server = createServer((client) => {
    clients.add(client);
    const behind = dial(addressOf(mongoUrl));
    client.pipe(behind).pipe(client);
    for (const socket of [client, behind]) socket.on('error', () => undefined);
    client.on('close', () => behind.destroy());
  });
  await new Promise<void>((resolve) => server.listen(socketPath, resolve));
  onTestFinished(() => {
    for (const client of clients) client.destroy();
    server.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return { socketPath, stopReading: () => clients.forEach((client) => client.unpipe().pause()) };
}
