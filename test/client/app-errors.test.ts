import { createServer } from 'node:http';
import { Server } from 'socket.io';
import { expect, onTestFinished, test } from 'vitest';
import { openCourierSocket } from '../../packages/client/src/sockets/courier.ts';
import { openTrackFeed } from '../../packages/client/src/sockets/track.ts';
import { openVendorFeed } from '../../packages/client/src/sockets/vendor.ts';
import { openPort } from '../open-port.ts';
import { until } from '../until.ts';
import { aVendorFeed } from './vendor-service.ts';

/** Collects the unhandled rejections of this process instead of failing at them. */
function unhandled(): unknown[] {
  const before = process.listeners('unhandledRejection');
  const errors: unknown[] = [];
  process.removeAllListeners('unhandledRejection');
  process.on('unhandledRejection', (error) => void errors.push(error));
  onTestFinished(() => {
    process.removeAllListeners('unhandledRejection');
    for (const listener of before) process.on('unhandledRejection', listener);
  });
  return errors;
}

const FAULT = new Error('a fault of the app');

test('[H558] an error of the app in an event that was missed reaches the app, and the feed goes on', async () => {
  const errors = unhandled();
  const heard: string[] = [];
  const { service, feed } = await aVendorFeed({
    onEvent: ({ delivery_id: id, sequence }) => {
      heard.push(`${id} ${sequence}`);
      if (sequence === 2) throw FAULT;
    },
  });
  service.tell('del_1', 1, 'delivery.created');
  await until(() => heard.length === 1);
  service.note('del_1', 2, 'courier.assigned');
  service.note('del_1', 3, 'picked_up');
  service.tell('del_1', 4, 'in_transit');
  await until(() => heard.length === 4);
  expect(heard).toEqual(['del_1 1', 'del_1 2', 'del_1 3', 'del_1 4']);
  expect(feed.lastSeq()).toEqual({ del_1: 4 });
  await until(() => errors.length === 1);
  // The same error in an event that comes by itself takes the same way.
  service.tell('del_2', 1, 'delivery.created');
  service.tell('del_2', 2, 'courier.assigned');
  await until(() => errors.length === 2);
  expect(errors).toEqual([FAULT, FAULT]);
});

test('[H558] missed events of other deliveries are requested after an error of the app', async () => {
  const errors = unhandled();
  const heard: string[] = [];
  const { service } = await aVendorFeed({
    lastSeq: { del_1: 1, del_2: 1 },
    onEvent: ({ delivery_id: id, sequence }) => {
      heard.push(`${id} ${sequence}`);
      throw FAULT;
    },
  });
  for (const id of ['del_1', 'del_2']) for (const sequence of [1, 2]) service.note(id, sequence, 'courier.assigned');
  service.beacon({ del_1: 2 });
  await until(() => heard.length === 1);
  service.beacon({ del_2: 2 });
  await until(() => heard.length === 2);
  expect(heard).toEqual(['del_1 2', 'del_2 2']);
  await until(() => errors.length === 2);
});

test('[H558] a feed whose login fails for good closes, although the callback of the app fails at that', async () => {
  const errors = unhandled();
  const server = createServer();
  const io = new Server(server, { transports: ['websocket'] });
  const states: string[] = [];
  const feed = openVendorFeed({
    baseUrl: await openPort(server),
    apiKey: { token: () => Promise.reject(new Error('no login')), distrust: () => undefined },
    onState: (state) => void states.push(state),
    onLoginFailed: () => {
      throw FAULT;
    },
  });
  onTestFinished(async () => {
    feed.close();
    await io.close();
  });
  await until(() => states.includes('closed'));
  await until(() => errors.length === 1);
  expect(errors).toEqual([FAULT]);
});

test('[H561] an error of the app in an offer, a hint, a position or a dropped place is an unhandled rejection too', async () => {
  const errors = unhandled();
  const [server, called] = [createServer(), new Set<string>()];
  const io = new Server(server, { transports: ['websocket'] });
  const at = new Date(0).toISOString();
  io.of('/courier').on('connection', (socket) => {
    socket.emit('offer.new', { offer_id: 'off_1', expires_at: at, server_time: at }, () => undefined);
    for (const name of ['offer.withdrawn', 'courier.hint']) socket.emit(name, {});
  });
  for (const name of ['/vendor', '/track']) {
    io.of(name).on('connection', (socket) => socket.emit('positions', { items: [] }, () => undefined));
  }
  const fail = (name: string) => () => {
    called.add(name);
    throw FAULT;
  };
  const baseUrl = await openPort(server);
  const courier = openCourierSocket({
    baseUrl,
    session: { token: () => Promise.resolve('t'), distrust: () => undefined },
    onOffer: fail('offer'),
    onOfferWithdrawn: fail('withdrawn'),
    onHint: fail('hint'),
    onPlacesDropped: fail('dropped'),
  });
  const feeds = [
    openVendorFeed({ baseUrl, apiKey: 'k', onPositions: fail('vendor') }),
    openTrackFeed({ baseUrl, token: 't', onPositions: fail('track') }),
  ];
  onTestFinished(async () => {
    for (const socket of [courier, ...feeds]) socket.close();
    await io.close();
  });
  for (let place = 0; place <= 1000; place += 1) courier.report({ lat: 1, lng: 1 });
  await until(() => errors.length === 6);
  expect([...called].toSorted()).toEqual(['dropped', 'hint', 'offer', 'track', 'vendor', 'withdrawn']);
  expect(new Set(errors)).toEqual(new Set([FAULT]));
});
