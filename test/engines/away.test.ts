import { once } from 'node:events';
import { connect, createServer, type AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { isAway, MongoOutage, refuseAway } from '../../src/engines/away.ts';
import { keptLog } from '../kept-ports.ts';

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

test('[R21] an outage of MongoDB has one line when it starts, one every ten minutes, and one when it is over', () => {
  const log = keptLog();
  const outage = new MongoOutage(log);
  for (let second = 0; second <= 700; second += 1) outage.note(false, second * 1000, 'no primary');
  for (const second of [701, 702]) outage.note(true, second * 1000, 'no primary');
  expect(log.lines).toEqual([
    { level: 'warn', fields: { cause: 'no primary' }, message: 'MongoDB is away' },
    { level: 'warn', fields: { cause: 'no primary', lastedS: 601 }, message: 'MongoDB is still away' },
    { level: 'warn', fields: { lastedS: 701 }, message: 'MongoDB is back' },
  ]);
});

test('[R21] a single look without a primary is no outage yet', () => {
  const log = keptLog();
  const outage = new MongoOutage(log);
  for (const isWell of [false, true, false, true]) outage.note(isWell, 0, 'no primary');
  expect(log.lines).toEqual([]);
});

test('[R22] an outage covers errors of the connection and refusals about it, and nothing before or after it', async () => {
  const lost = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
  const busy: unknown = await refuseAway(Promise.reject(lost)).catch((error: unknown) => error);
  const outage = new MongoOutage(keptLog());
  const covered = () => [lost, busy, new TypeError('undefined is not a function')].map((each) => outage.covers(each));
  const nothing = [false, false, false];
  expect(covered()).toEqual(nothing);
  for (const at of [0, 1000]) outage.note(false, at, 'no primary');
  expect(covered()).toEqual([true, true, false]);
  outage.note(true, 2000, '');
  expect(covered()).toEqual(nothing);
});
