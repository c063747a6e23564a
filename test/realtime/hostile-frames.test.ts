import { expect, onTestFinished, test } from 'vitest';
import { newId } from '../../src/domain/ids.ts';
import { until } from '../until.ts';
import { bear, openSite, storeCourier, tokensOf, type Process } from './house.ts';
import { openRaw } from './raw-client.ts';
import { openFrames } from '../../load-tests/clients/swarm.ts';

const site = await openSite('hostile-frames');
const tokens = tokensOf(site);

async function start(): Promise<Process> {
  const process = await site.start();
  onTestFinished(process.stop);
  return process;
}

/** The server is well when another client is answered, and nothing has failed. */
async function expectWell(process: Process): Promise<void> {
  const phone = site.join(process, '/courier', { token: tokens.courier(await storeCourier(site)) });
  expect(await (await phone.ready()).ask('resync', { delivery_id: newId('del'), after: 0 })).toMatchObject({
    ok: false,
  });
  expect(site.log.lines.filter(({ level }) => level === 'error')).toEqual([]);
}

/** A masked control frame with nothing in it. */
const control = (opcode: number): Buffer => Buffer.from([0x80 | opcode, 0x80, 0, 0, 0, 0]);

test.each([
  ['pings', 9],
  ['pongs', 10],
])(
  '[T51] a client that floods the server with %s below its packets is cut off, joined or not',
  async (_what, opcode) => {
    const process = await start();
    const [stranger, phone] = [await openRaw(process), await openRaw(process)];
    expect(await phone.join('/courier', { token: tokens.courier(await storeCourier(site)) })).toBe(true);
    for (const client of [stranger, phone]) {
      for (let i = 0; i < 3000; i += 1) client.send(control(opcode));
      await until(() => !client.isOpen());
    }
    expect(process.metrics.counts.get('sockets_closed_total flood')).toBe(2);
  },
);

test('[T51] a client that pings occasionally stays connected', async () => {
  const process = await start();
  const client = await openRaw(process);
  for (let i = 0; i < 5; i += 1) client.send(control(9));
  expect(await client.join('/courier', { token: tokens.courier(await storeCourier(site)) })).toBe(true);
});

test('[T65] a request that names an open connection is refused, and the connection stays where it is', async () => {
  const process = await start();
  const client = await openRaw(process);
  await until(() => client.texts.length > 0);
  const { sid } = JSON.parse(client.texts[0]!.slice(1)) as { sid: string };
  const port = Number(new URL(process.url).port);
  for (const name of ['sid', '%73id', 'sid=&sid']) {
    const path = `/socket.io/?EIO=4&transport=websocket&${name}=${sid}`;
    await expect(openFrames(port, path, () => {})).rejects.toThrow('HTTP/1.1 400');
  }
  expect(await client.join('/courier', { token: tokens.courier(await storeCourier(site)) })).toBe(true);
});

test('[T52] acknowledgements that are missing, repeated or invented do no harm', async () => {
  const process = await start();
  const client = await openRaw(process);
  const delivery = await bear(site);
  expect(await client.join('/vendor', { token: tokens.vendor(delivery) })).toBe(true);
  const ids = ['', '0', '0', '0', '1', '-1', '00', '1e3', '999999999999999999999999'];
  for (const id of ids) {
    for (const body of ['[]', '[1,2,3]', '[null]', '{}', '']) {
      // A packet that Socket.IO cannot read closes its connection, and the next client goes on.
      const one = await openRaw(process);
      await one.join('/vendor', { token: tokens.vendor(await bear(site)) });
      one.say(`43/vendor,${id}${body}`);
      one.say(`43/vendor,${id}${body}`);
      one.say(`461-/vendor,${id}${body}`);
      one.say(`42/vendor,${id}["resync",{}]`);
      one.close();
    }
  }
  await expectWell(process);
});

test('[T52] a packet that is nested as deeply as its frame allows closes its own connection at most', async () => {
  const process = await start();
  const token = tokens.courier(await storeCourier(site));
  const deep = (inner: string): string => `${'['.repeat(30_000)}${inner}${']'.repeat(30_000)}`;
  const objects = `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`;
  for (const packet of [
    `42/courier,0["ping",${deep('')}]`,
    `42/courier,0["ping",{"fixes":${deep('')}}]`,
    `42/courier,0["ping",${objects}]`,
    `451-/courier,0["ping",${deep('{"_placeholder":true,"num":0}')}]`,
    `43/courier,0${deep('')}`,
    `40/vendor,{"token":"x","last_seq":${objects}}`,
    `40/vendor,${objects}`,
  ]) {
    const client = await openRaw(process);
    await client.join('/courier', { token });
    client.say(packet);
    client.send(Buffer.from([0x82, 0x81, 0, 0, 0, 0, 1]));
    client.say('42/courier,1["nothing",{}]');
    await until(() => !client.isOpen() || client.texts.some((text) => text.startsWith('43/courier,1')));
    client.close();
  }
  expect(process.realtime.stats().sockets['/vendor']).toBe(0);
  await expectWell(process);
});
