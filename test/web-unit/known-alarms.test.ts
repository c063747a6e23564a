import { beforeEach, expect, test } from 'vitest';
import { NO_ETAS } from '../../src/domain/deliveries/eta.ts';
import { newId } from '../../src/domain/ids.ts';
import { presentDelivery } from '../../src/domain/views/present-delivery.ts';
import type { AlarmView } from '../../src/realtime/protocol.ts';
import { alarmed, alarms, takeAlarm, takeAlarms, type ListedAlarm } from '../../web/console/known-alarms.ts';
import { aDelivery, NOON } from '../builders.ts';

beforeEach(() => void (alarms.value = new Map()));

const since = new Date(NOON).toISOString();
const anAlarm = (): AlarmView => ({ id: newId('alm'), kind: 'late', since, detail: 'not collected' });
const listed = (alarm: AlarmView, delivery: ListedAlarm['delivery'] = null): ListedAlarm => ({ ...alarm, delivery });
const shown = () => [...alarms.value.keys()];

test('[V91] the list adds an alarm whose notice was lost and removes one whose end was lost', () => {
  const [lost, gone] = [anAlarm(), anAlarm()];
  const delivery = presentDelivery(aDelivery(), NO_ETAS);
  takeAlarm(gone);
  takeAlarms([listed(lost, delivery)], alarms.value, null);
  expect(shown()).toEqual([lost.id]);
  expect([...alarmed.value]).toEqual([delivery.id]);
});

test('[V91] notices that arrive between the request and the answer are newer than the list', () => {
  const [begun, ended, raced] = [anAlarm(), anAlarm(), anAlarm()];
  takeAlarm(ended);
  const known = alarms.value;
  takeAlarm(begun);
  takeAlarm({ ...ended, cleared: true });
  takeAlarms([listed(ended)], known, null);
  expect(shown()).toEqual([begun.id]);
  // An alarm that ended while it was listed for the first time stays until the next list.
  takeAlarm({ ...raced, cleared: true });
  takeAlarms([listed(begun), listed(raced)], alarms.value, null);
  expect(shown()).toEqual([begun.id, raced.id]);
  takeAlarms([listed(begun)], alarms.value, null);
  expect(shown()).toEqual([begun.id]);
});

test('[V91] a list that was cut removes no alarm that is older than it', () => {
  const older = { ...anAlarm(), since: new Date(NOON - 1).toISOString() };
  const [gone, newest] = [anAlarm(), anAlarm()];
  for (const alarm of [older, gone]) takeAlarm(alarm);
  takeAlarms([listed(newest)], alarms.value, since);
  expect(shown()).toEqual([newest.id, older.id]);
});
