import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { fc, test as property } from '@fast-check/vitest';
import { expect, test } from 'vitest';
import { WebSocket, type WebSocketServer } from 'ws';
import { leanServer } from '../../../src/realtime/connections/lean-websocket.ts';
import { shareReads } from '../../../src/realtime/connections/shared-reads.ts';
import { keptLog } from '../../kept-ports.ts';

/** A connection that a server has accepted, and the client's end of it. */
async function accept(): Promise<{ accepted: Socket; client: Socket }> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1').setNoDelay(true);
  const [accepted] = (await once(server, 'connection')) as [Socket];
  server.close();
  return { accepted, client };
}

/** All bytes of a connection in the order in which they came, on either way. */
function hear(accepted: Socket, sharesTaken: readonly number[], pauses: readonly boolean[]) {
  const heard: Buffer[] = [];
  let [reads, chunks, taken] = [0, 0, 0];
  shareReads(accepted, (bytes) => {
    const length = Math.round(bytes.length * (sharesTaken[reads % sharesTaken.length] ?? 0));
    reads += 1;
    taken += length;
    heard.push(Buffer.from(bytes.subarray(0, length)));
    return length === bytes.length ? null : bytes.subarray(length);
  });
  accepted.on('data', (chunk: Buffer) => {
    heard.push(chunk);
    if (pauses[chunks % pauses.length] === true) {
      accepted.pause();
      void setImmediate().then(() => accepted.resume());
    }
    chunks += 1;
  });
  return { heard: () => Buffer.concat(heard), taken: () => taken };
}

const pieces = fc.array(fc.uint8Array({ minLength: 1, maxLength: 200 }), { minLength: 1, maxLength: 20 });
const shares = fc.array(fc.constantFrom(0, 0.5, 1), { minLength: 1, maxLength: 5 });
const pauses = fc.array(fc.boolean(), { minLength: 1, maxLength: 4 });

property.prop([pieces, shares, pauses], { numRuns: 100 })(
  '[T80] all bytes arrive once and in order, whatever part of a read is taken at once, and the connection ends after them',
  async (sent, sharesTaken, paused) => {
    const { accepted, client } = await accept();
    const { heard } = hear(accepted, sharesTaken, paused);
    const ended = once(accepted, 'end');
    for (const [turn, piece] of sent.entries()) {
      client.write(piece);
      if (turn % 3 === 0) await setImmediate();
    }
    client.end();
    await ended;
    expect(heard()).toEqual(Buffer.concat(sent));
  },
);

test('[T80] reads that come at the same time on many connections do not mix', async () => {
  const pairs = await Promise.all(Array.from({ length: 20 }, accept));
  const all = pairs.map(({ accepted }) => hear(accepted, [1, 0.5, 0], [false]));
  const sent = pairs.map((_, index) => Buffer.alloc(100_000, index));
  const ended = pairs.map(({ accepted }) => once(accepted, 'end'));
  for (const [index, { client }] of pairs.entries()) client.end(sent[index]!);
  await Promise.all(ended);
  for (const [index, { heard }] of all.entries()) expect(heard().equals(sent[index]!)).toBe(true);
});

test('[T80] bytes that wait in the stream come before those of a later read', async () => {
  const { accepted, client } = await accept();
  accepted.unshift('first ');
  let taken = 0;
  shareReads(accepted, () => {
    taken += 1;
    return null;
  });
  client.end('second');
  await expect.poll(() => accepted.readableLength).toBe('first second'.length);
  expect([taken, String(accepted.read())]).toEqual([0, 'first second']);
  accepted.destroy();
});

test('[T80] a short text of a WebSocket does not pass the stream of its connection, and other frames do', async () => {
  const server = new (leanServer(keptLog()) as typeof WebSocketServer)({ port: 0 });
  const client = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const [socket, request] = (await once(server, 'connection')) as [WebSocket, { socket: Socket }];
  const chunks: number[] = [];
  request.socket.on('data', ({ length }: Buffer) => chunks.push(length));
  const heard: string[] = [];
  socket.on('message', (data: Buffer) => heard.push(String(data)));
  if (client.readyState !== WebSocket.OPEN) await once(client, 'open');
  client.send('one');
  await expect.poll(() => heard).toEqual(['one']);
  expect(chunks).toEqual([]);
  client.send('zwölf');
  client.close();
  await once(socket, 'close');
  expect(heard).toEqual(['one', 'zwölf']);
  expect(chunks).not.toEqual([]);
  server.close();
});
