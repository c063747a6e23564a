import { effect } from '@preact/signals';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { NO_ETAS } from '../../src/domain/deliveries/eta.ts';
import { newId } from '../../src/domain/ids.ts';
import { presentDelivery } from '../../src/domain/views/present-delivery.ts';
import type { AlarmView } from '../../src/realtime/protocol.ts';
import {
  alarmed,
  alarms,
  forgetAlarms,
  knownAlarms,
  oldestOf,
  takeAlarm,
  takeAlarms,
  type ListedAlarm,
} from '../../web/console/known-alarms.ts';
import { aDelivery, NOON } from '../builders.ts';

beforeEach(forgetAlarms);

const since = new Date(NOON).toISOString();
const anAlarm = (): AlarmView => ({ id: newId('alm'), kind: 'late', since, detail: 'not collected' });
const listed = (alarm: AlarmView, delivery: ListedAlarm['delivery'] = null): ListedAlarm => ({ ...alarm, delivery });
const shown = () => [...knownAlarms().keys()];

test('[V91] the list adds an alarm whose notice was lost and removes one whose end was lost', () => {
  const [lost, gone] = [anAlarm(), anAlarm()];
  const delivery = presentDelivery(aDelivery(), NO_ETAS);
  takeAlarm(gone);
  takeAlarms([listed(lost, delivery)], knownAlarms(), null);
  expect(shown()).toEqual([lost.id]);
  expect([...alarmed.value]).toEqual([delivery.id]);
});

test('[V91] notices that arrive between the request and the answer are newer than the list', () => {
  const [begun, ended, raced] = [anAlarm(), anAlarm(), anAlarm()];
  takeAlarm(ended);
  const known = knownAlarms();
  takeAlarm(begun);
  takeAlarm({ ...ended, cleared: true });
  takeAlarms([listed(ended)], known, null);
  expect(shown()).toEqual([begun.id]);
  // An alarm that ended while it was listed for the first time stays until the next list.
  takeAlarm({ ...raced, cleared: true });
  takeAlarms([listed(begun), listed(raced)], knownAlarms(), null);
  expect(shown()).toEqual([begun.id, raced.id]);
  takeAlarms([listed(begun)], knownAlarms(), null);
  expect(shown()).toEqual([begun.id]);
});

test('[V91] a list that was cut removes no alarm that is older than it', () => {
  const older = { ...anAlarm(), since: new Date(NOON - 1).toISOString() };
  const [gone, newest] = [anAlarm(), anAlarm()];
  for (const alarm of [older, gone]) takeAlarm(alarm);
  takeAlarms([listed(newest)], knownAlarms(), since);
  expect(shown()).toEqual([newest.id, older.id]);
});

test('[V96] a thousand alarms that arrive at once are drawn once, and only the oldest hundred of them', () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  let drawings = 0;
  onTestFinished(effect(() => void (drawings += alarms.value.size >= 0 ? 1 : 0)));
  const at = (second: number): AlarmView => ({ ...anAlarm(), since: new Date(NOON - second * 1000).toISOString() });
  const many = Array.from({ length: 1000 }, (_, second) => at(second));
  for (const alarm of many) takeAlarm(alarm);
  expect([drawings, alarms.value.size]).toEqual([1, 0]);
  vi.advanceTimersByTime(80);
  expect([drawings, alarms.value.size]).toEqual([2, 1000]);
  const { drawn, more } = oldestOf(alarms.value);
  expect([drawn.length, more]).toEqual([100, 900]);
  expect(drawn[0]).toEqual(many.at(-1));
});

test('[V96] no notice that arrived before a logout is shown after it', () => {
  takeAlarm(anAlarm());
  forgetAlarms();
  expect(shown()).toEqual([]);
});
