import { once, type EventEmitter } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { fc, test as property } from '@fast-check/vitest';
import { afterAll, expect, test } from 'vitest';
import { textFrame } from '../../../load-tests/clients/swarm.ts';
import { ShortWayIn } from '../../../src/realtime/connections/short-way-in.ts';
import { until } from '../../until.ts';
import { frameOf, open, serve, TOLD, type Act, type Served } from './two-servers.ts';

const stock = await serve(false);
const short = await serve(true);
afterAll(() => Promise.all([stock.io.close(), short.io.close()]));

/** Sends the acts, those of each group in one piece, and returns everything that both sides have heard. */
async function play(server: Served, groups: readonly (readonly Act[])[]) {
  const { client, texts, side } = await open(server);
  for (const [turn, acts] of groups.entries()) {
    const mark = textFrame(`42/a,${9000 + turn}["mark"]`);
    client.send(Buffer.concat([...acts.map((act) => frameOf(act, texts)), mark]));
    await until(() => !client.isOpen() || texts.some((text) => text.startsWith(`43/a,${9000 + turn}[`)));
  }
  const isOpen = client.isOpen();
  client.close();
  await until(() => side.raw.readyState === 'closed');
  const told = texts
    .filter((text) => !text.startsWith('0') && !text.startsWith('40'))
    .map((text) => text.replace(TOLD, '42$1 told'));
  return { isOpen, told, heard: side.heard, packets: side.packets };
}

const ids = fc.constantFrom(
  '',
  '1',
  '7',
  '007',
  '123456789012345',
  '12345678901234567',
  ' 5',
  '5 ',
  ' 12345678',
  '12345678\t',
  '\t',
  '1 2',
  '-1',
  '1e3',
  'x',
);
const bodies = fc.oneof(
  { arbitrary: fc.json({ maxDepth: 2 }).map((json) => `["ping",${json}]`), weight: 4 },
  fc.constantFrom('["ping"]', '["ping",1,2]', '["other",1]', '["pi\\u006eg",1]', '["ping","schön"]', '["schön"]'),
  fc.constantFrom(
    '["ping",',
    '["ping"]]',
    ' ["ping"]',
    '[ "ping"]',
    '{"ping":1}',
    '["ping"',
    '[]',
    '',
    '[7]',
    '[null]',
  ),
  fc.constantFrom(
    '["disconnect"]',
    '["connect"]',
    '["newListener"]',
    '["__proto__"]',
    '["has"]',
    `["ping","${'x'.repeat(5000)}"]`,
  ),
);
const namespaces = fc.oneof(
  { arbitrary: fc.constant('/a,'), weight: 12 },
  fc.constantFrom('/b,', '/c,', '', '/a', '/ab,'),
);
/** A number that Socket.IO gives one of its first messages. The short way numbers its own otherwise, so a guess would differ. */
const isOfMessage = (id: string): boolean => id !== '' && Number(id) < 1000;
const events = fc
  .tuple(fc.constantFrom('42', '42', '42', '43'), namespaces, ids, bodies)
  .filter(([type, , id]) => type === '42' || !isOfMessage(id))
  .map((parts) => parts.join(''));
const binaries = fc.constantFrom(
  '451-/a,["ping",{"_placeholder":true,"num":0}]',
  '461-/a,0[{"_placeholder":true,"num":0}]',
  '45',
  '46/a,[]',
);
const others = fc.constantFrom(
  '40/b,',
  '41/b,',
  '41/a,',
  '3',
  '2',
  '6',
  '4',
  '42',
  '43',
  '44/a,{}',
  'x',
  '9/a',
  '40/a,',
);
const act: fc.Arbitrary<Act> = fc.oneof(
  { arbitrary: events.map((text): Act => ({ do: 'text', text })), weight: 8 },
  {
    arbitrary: fc.record({
      do: fc.constant('ack' as const),
      back: fc.nat(2),
      gap: fc.constantFrom('', '', '', ' ', '0'),
      type: fc.constantFrom('43', '43', '43', '461-'),
      json: fc.constantFrom('[]', '[]', '[1]', '["ü"]', '{}', ''),
    }),
    weight: 6,
  },
  {
    arbitrary: fc.constantFrom<Act>({ do: 'text', text: '42/a,3["ping",{"fixes":[]}]' }, { do: 'text', text: '40/b,' }),
    weight: 6,
  },
  fc.oneof(binaries, others).map((text): Act => ({ do: 'text', text })),
  { arbitrary: fc.constant<Act>({ do: 'bytes' }), weight: 1 },
);
const games = fc.array(fc.array(act, { maxLength: 5 }), { minLength: 1, maxLength: 5 });

/** Whether the act is a binary packet, after which acknowledgements are not compared (T64). */
function isBinary(act: Act): boolean {
  return act.do === 'text' ? /^4[56]/u.test(act.text) : act.do === 'ack' && act.type.startsWith('46');
}

property.prop([games], { numRuns: 150 })(
  '[T64] any packets of a client do the same on the short way as in Socket.IO, in the same order',
  async (groups) => {
    const isCompared = (one: string): boolean => !groups.flat().some(isBinary) || !one.includes('acknowledged');
    const [wanted, got] = [await play(stock, groups), await play(short, groups)];
    expect({ ...got, heard: got.heard.filter(isCompared) }).toEqual({
      ...wanted,
      heard: wanted.heard.filter(isCompared),
    });
  },
);

/** Both servers, by name. */
const SERVERS: readonly [string, Served][] = [
  ['in Socket.IO', stock],
  ['on the short way', short],
];

test.each(SERVERS)(
  '[T64] a message that comes before the answer to a heartbeat gives the client more time, once: %s',
  async (_name, server) => {
    const { client, side, texts } = await open(server);
    let refreshed = 0;
    const timer = { refresh: () => (refreshed += 1) };
    const hidden: object = side.raw;
    const heart = Object.assign(hidden, { pingTimeoutTimer: timer, hasRefreshedPingTimeout: false });
    for (const id of [1, 2]) client.send(textFrame(`42/a,${id}["ping"]`));
    await until(() => texts.some((text) => text.startsWith('43/a,2')));
    expect(refreshed).toBe(1);
    // The library ends its timer with the connection.
    Object.assign(heart, { pingTimeoutTimer: null });
  },
);

test('[T64] events and the acknowledgement of the message before take the short way, others do not', async () => {
  const { client, side, texts } = await open(short);
  const engine: unknown[] = [];
  side.raw.on('data', (data) => engine.push(data));
  const answered = (id: number): boolean => texts.some((text) => text.startsWith(`43/a,${id}[`));
  client.send(textFrame('42/a,1["ping",{"fixes":[]}]'));
  await until(() => answered(1));
  client.send(
    Buffer.concat([
      frameOf({ do: 'ack', back: 0, type: '43', gap: '', json: '[]' }, texts),
      textFrame('42/a,2["mark"]'),
    ]),
  );
  await until(() => answered(2));
  expect(side.heard).toEqual(['/a ping {"fixes":[]}', '/a acknowledged 1', '/a mark undefined']);
  expect(engine).toEqual([]);
  client.send(textFrame('42/a,3["other"]'));
  await until(() => answered(3));
  expect(engine).toEqual(['2/a,3["other"]']);
});

test('[T64] after a binary packet all messages go to Socket.IO, and nothing stays unacknowledged', async () => {
  const { client, side, texts } = await open(short);
  client.send(textFrame('42/a,1["mark"]'));
  await until(() => texts.some((text) => text.startsWith('43/a,1[')));
  client.send(
    Buffer.concat([textFrame('451-/a,2["ping",{"_placeholder":true,"num":0}]'), frameOf({ do: 'bytes' }, texts)]),
  );
  client.send(textFrame('42/a,3["mark"]'));
  await until(() => texts.some((text) => text.startsWith('43/a,3[')));
  const engine: unknown[] = [];
  side.raw.on('data', (data) => engine.push(data));
  client.send(Buffer.concat([textFrame('40/b,'), textFrame('42/a,4["mark"]')]));
  await until(() => texts.some((text) => text.startsWith('43/a,4[')) && texts.some((text) => text.startsWith('40/b,')));
  client.send(textFrame('42/b,5["mark"]'));
  await until(() => texts.some((text) => text.startsWith('43/b,5[')));
  expect(engine).toEqual(['0/b,', '2/a,4["mark"]', '2/b,5["mark"]']);
  expect(side.heard.filter((one) => one.includes('acknowledged'))).toEqual(['/a acknowledged 1']);
  const ids = texts.flatMap((text) => TOLD.exec(text)?.groups?.id ?? []).map(Number);
  // Socket.IO numbers its own messages from 0.
  expect(ids.map((id) => id < 1_000_000)).toEqual([false, true, true, true, true]);
});

test.each(SERVERS)('[T64] a connection that closes hears nothing: %s', async (_name, server) => {
  const { client, side } = await open(server);
  client.pause();
  side.raw.write('x'.repeat(30_000_000));
  side.raw.write('last');
  side.raw.close();
  expect(side.raw.readyState).toBe('closing');
  const request: object = side.raw.request;
  const { websocket } = request as { websocket: EventEmitter };
  const arrived = once(websocket, 'message');
  client.send(textFrame('42/a,1["ping"]'));
  await arrived;
  await setImmediate();
  expect(side.heard).toEqual([]);
});

test('[T64] with the class of ws there is no short way', async () => {
  const { side } = await open(stock);
  expect(ShortWayIn.open(side.raw)).toBeNull();
});
