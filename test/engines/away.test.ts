import { once } from 'node:events';
import { connect, createServer, type AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { isAway } from '../../src/engines/away.ts';

/** The error of a write to a connection that the other side has just closed. */
async function errorOfLateWrite(): Promise<unknown> {
  const server = createServer((socket) => void socket.end()).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').resume();
  await once(socket, 'end');
  const failed = once(socket, 'error');
  socket.write('late');
  const [error] = await failed;
  return error;
}

test('[S45] a write to a connection that the database has closed means that it is away', async () => {
  const error = await errorOfLateWrite();
  expect(error).toMatchObject({ code: 'EPIPE', message: 'This socket has been ended by the other party' });
  expect(isAway(error)).toBe(true);
});

test.each(['ECONNRESET', 'ETIMEDOUT', 'ERR_STREAM_DESTROYED', 'ERR_STREAM_WRITE_AFTER_END'])(
  '[S45] a connection that fails with %s means that the database is away',
  (code) => {
    expect(isAway(Object.assign(new Error('closed'), { code }))).toBe(true);
  },
);

test('[S45] a mistake of our own does not mean that the database is away', () => {
  expect(isAway(new TypeError('of undefined'))).toBe(false);
  expect(isAway(Object.assign(new Error('no file'), { code: 'ENOENT' }))).toBe(false);
});
