import { expect, test } from 'vitest';
import { METRICS } from '../src/domain/metrics.ts';
import { createMetrics } from '../src/metrics.ts';
import type { Metrics } from '../src/ports/process.ts';

test('[Z49] a gauge disappears when the process no longer knows its value, and other label values stay', async () => {
  const metrics = createMetrics();
  metrics.gauge('dispatch_searching', 3, { region: 'a' });
  metrics.gauge('dispatch_searching', 0, { region: 'b' });
  metrics.gauge('dispatch_searching', null, { region: 'a' });
  metrics.gauge('dispatch_searching', null, { region: 'never there' });
  metrics.gauge('ledger_faults', 1, {});
  metrics.gauge('ledger_faults', null, {});
  const lines = (await metrics.text())
    .split('\n')
    .filter((line) => /^(dispatch_searching|ledger|analytics)/.test(line));
  // `analytics_backlog` was never reported.
  expect(lines).toEqual(['dispatch_searching{region="b"} 0']);
});

test('[Z34] the delay of the event loop is a histogram, and the delays that Node samples are absent', async () => {
  const metrics = createMetrics();
  metrics.observe('event_loop_delay_seconds', 0.04, {});
  const text = await metrics.text();
  expect(text).toContain('event_loop_delay_seconds_bucket{le="0.05"} 1\n');
  expect(text).toContain('event_loop_delay_seconds_bucket{le="0.025"} 0\n');
  expect(text.match(/^nodejs_eventloop_lag\w* /gmu)).toEqual(['nodejs_eventloop_lag_seconds ']);
});

/** Mistakes that the compiler must find. This code never runs. */
function misuse(metrics: Metrics): void {
  // @ts-expect-error -- a misspelt name
  metrics.count('offers_opend_total', { round: 'exclusive' });
  // @ts-expect-error -- a histogram is not a counter
  metrics.count('webhook_try_seconds', {});
  // @ts-expect-error -- the label `route` is missing
  metrics.observe('http_request_seconds', 1, { status: '200' });
  // @ts-expect-error -- `rounds` is not a label of this metric
  metrics.count('offers_opened_total', { rounds: 'exclusive' });
  // @ts-expect-error -- this metric has no labels
  metrics.count('hints_sent_total', { mode: 'live' });
}

test('[X20] the compiler refuses a metric, a kind of metric or a label that the table does not list', async () => {
  expect(misuse).toBeTypeOf('function');
  const text = await createMetrics().text();
  for (const [name, { help }] of Object.entries(METRICS)) expect(text).toContain(`# HELP ${name} ${help}\n`);
});
