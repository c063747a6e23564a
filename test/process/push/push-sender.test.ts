import { expect, test } from 'vitest';
import type { Device } from '../../../src/domain/couriers/device.ts';
import type { CredentialId } from '../../../src/domain/access.ts';
import type { PushService } from '../../../src/process/push/push-service.ts';
import { createPushSender, type PushServices } from '../../../src/process/push/push-sender.ts';
import type { DeviceStore } from '../../../src/ports/couriers.ts';
import { defaultSettings } from '../../../src/settings.ts';
import { keptLog, keptMetrics } from '../../kept-ports.ts';
import { until } from '../../until.ts';
import { aDevice, PUSH } from './house.ts';

function open(services: PushServices, all: Device[], { ended = [] as CredentialId[], most = 1000, atOnce = 32 } = {}) {
  const removed: string[] = [];
  const devices: DeviceStore = {
    register: async (device) => device,
    listOf: async () => all,
    remove: async (_courier, id) => removed.push(id) > 0,
    removeOfSessions: async (ids) => void removed.push(...ids),
  };
  const metrics = keptMetrics();
  const defaults = defaultSettings();
  const settings = { ...defaults, push: { ...defaults.push, mostWaiting: most, mostAtOnce: atOnce } };
  const credentials = {
    listEnded: async (ids: readonly CredentialId[]) => new Set(ids.filter((id) => ended.includes(id))),
  };
  const push = createPushSender({ devices, log: keptLog(), metrics, settings, credentials, services });
  return { push, removed, counts: metrics.counts };
}

const tells = (result: 'sent' | 'gone'): PushService => ({ send: async () => result, close: async () => undefined });
const fails: PushService = { send: () => Promise.reject(new Error('no network')), close: async () => undefined };

test('[O84] a push goes to the devices of live sessions, and those without the app are removed', async () => {
  const [kept, gone, ended] = [aDevice(), aDevice({ provider: 'webhook' }), aDevice()];
  const services = { fcm: tells('sent'), webhook: tells('gone') };
  const { push, removed, counts } = open(services, [kept, gone, ended], { ended: [ended.sessionId] });
  await push.send(PUSH);
  expect(removed.toSorted()).toEqual([gone.id, ended.sessionId].toSorted());
  expect([...counts]).toEqual(
    expect.arrayContaining([
      ['pushes_total fcm sent', 1],
      ['pushes_total webhook gone', 1],
    ]),
  );
  expect(counts.size).toBe(2);
});

test('[O84] one device that got the push is enough, and without any the push fails', async () => {
  const devices = [aDevice(), aDevice({ provider: 'webhook' })];
  await open({ fcm: fails, webhook: tells('sent') }, devices).push.send(PUSH);
  await expect(open({ fcm: fails, webhook: fails }, devices).push.send(PUSH)).rejects.toThrow('no network');
  const { push, counts } = open({ fcm: fails, webhook: fails }, []);
  await push.send(PUSH);
  expect([...counts]).toEqual([['pushes_total none no_device', 1]]);
});

test('[O85] a limited number of pushes is on its way, a limited number waits, and further ones are refused', async () => {
  const open_: (() => void)[] = [];
  const slow: PushService = {
    send: () => new Promise((resolve) => open_.push(() => resolve('sent'))),
    close: async () => undefined,
  };
  const { push, counts } = open({ fcm: slow, webhook: null }, [aDevice()], { most: 3, atOnce: 2 });
  const pushes = [push.send(PUSH), push.send(PUSH), push.send(PUSH)];
  await until(() => open_.length === 2);
  await expect(push.send(PUSH)).rejects.toThrow('too many pushes wait');
  expect(counts.get('pushes_total none dropped')).toBe(1);
  for (let done = 0; done < 3; done += 1) {
    await until(() => open_.length > 0);
    open_.shift()?.();
  }
  await Promise.all(pushes);
  expect(counts.get('pushes_total fcm sent')).toBe(3);
});
