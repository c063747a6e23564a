import { expect, test } from 'vitest';
import { createRoster } from '../../src/models/couriers/courier-roster.ts';
import { createEventLog } from '../../src/models/deliveries/events/event-log.ts';
import { openDatabase } from '../database.ts';
import { keptLog } from '../kept-ports.ts';
import { until } from '../until.ts';
import { CLOCK, killStreams, openStreams } from './mongo-house.ts';

test('[S33] the log reports a stream that fails, but not one that closes with its connection', async () => {
  const log = keptLog();
  const mongo = await openDatabase('change-feed', log);
  await createEventLog(mongo, CLOCK).follow(
    () => {},
    () => {},
  );
  await createRoster(mongo, CLOCK).refresh();
  await until(async () => {
    const before = (await openStreams({ mongo }, 'events')).map(String);
    if ((await killStreams({ mongo }, 'events')) === 0) return false;
    // The driver itself resumes a stream that was killed between two reads. Only a stream killed during a read fails.
    const isOpenAgain = async () => (await openStreams({ mongo }, 'events')).some((id) => !before.includes(String(id)));
    await until(async () => log.lines.length > 0 || (await isOpenAgain()));
    return log.lines.length > 0;
  });
  expect(log.lines[0]).toMatchObject({ level: 'warn', fields: { collection: 'events', failures: 1 } });
  for (const collection of ['events', 'couriers'] as const) {
    await until(async () => (await openStreams({ mongo }, collection)).length > 0);
  }
  const told = log.lines.length;
  await mongo.close();
  expect(log.lines.slice(told)).toEqual([]);
});
