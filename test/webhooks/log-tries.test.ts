import { expect, test } from 'vitest';
import { createClock } from '../../src/clock.ts';
import { newId } from '../../src/domain/ids.ts';
import type { Attempt } from '../../src/ports/webhooks.ts';
import { createFailureLog } from '../../src/webhooks/log-tries.ts';
import type { Posted } from '../../src/webhooks/post-attempt.ts';
import { NOON } from '../builders.ts';
import { keptLog } from '../kept-ports.ts';

function house() {
  const log = keptLog();
  const base = createClock();
  const time = { now: 0 };
  const clock = { ...base, real: { ...base.real, elapsed: () => time.now } };
  return { log, time, tell: createFailureLog({ clock, log }).tellTry };
}

/** As much of an attempt as a line needs. */
function anAttempt(url = 'https://user.example:8443/hook?key=secret', number = 3): Attempt {
  const registration = {
    id: newId('whk'),
    vendorId: newId('ven'),
    liveMode: true,
    url,
    events: ['*'],
    description: null,
    ordering: 'best_effort' as const,
    createdAt: NOON,
    disabled: null,
  };
  const attempt: Pick<Attempt, 'id' | 'number' | 'registration'> = { id: newId('att'), number, registration };
  return attempt as Attempt;
}

const posted = (error: string | null, nextAt: number | null = NOON): Posted => ({
  outcome: { at: NOON, status: error === null ? 200 : 503, tookMs: 12, error, response: 'a page with secrets' },
  nextAt,
});

test('[W22] a failed try leaves a line: host, registration, status, number and the next try, and no path or answer', () => {
  const { log, tell } = house();
  const attempt = anAttempt();
  tell(attempt, posted('answered 503'));
  tell(attempt, posted('answered 503', null));
  tell(attempt, posted(null));
  expect(log.lines.map(({ level, message }) => [level, message])).toEqual([
    ['warn', 'a webhook failed and will be retried'],
    ['warn', 'a webhook failed permanently'],
  ]);
  expect(log.lines[0]?.fields).toEqual({
    registration_id: attempt.registration.id,
    vendor_id: attempt.registration.vendorId,
    url_host: 'user.example:8443',
    attempt_id: attempt.id,
    attempt_number: 3,
    status: 503,
    error: 'answered 503',
    took_ms: 12,
    next_at: new Date(NOON).toISOString(),
  });
  expect(JSON.stringify(log.lines)).not.toContain('secret');
});

test('[W22] a receiver that is down does not fill the log, and hides no other one', () => {
  const { log, time, tell } = house();
  const down = anAttempt();
  for (let tries = 0; tries < 1000; tries += 1) tell(down, posted('x'.repeat(5000)));
  tell(anAttempt(), posted('answered 503'));
  expect(log.lines).toHaveLength(6);
  time.now += 60_000;
  tell(down, posted('answered 503'));
  expect(log.lines.at(-1)?.fields).toMatchObject({ left_out: 995 });
  tell(down, posted('answered 503'));
  expect(log.lines.at(-1)?.fields).not.toHaveProperty('left_out');
  expect(JSON.stringify(log.lines[0]).length).toBeLessThan(800);
});
