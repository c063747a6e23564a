import type { DemoFacts } from '../models/demo-rows.ts';
import { createLifeLog } from '../log.ts';

export type Ready = {
  readonly port: number;
  readonly baseUrl: string;
  readonly demo: { readonly facts: DemoFacts; readonly curl: string } | null;
};

/** What the process says of its own life, to whoever started it. */
export type Voice = {
  /** Something that happens on the way to the start. */
  say(text: string): void;
  ready(server: Ready, tookMs: number): void;
  stopping(): void;
  stopped(): void;
  /** Why the process ends although nobody asked for it; each line of the text is a sentence of its own. */
  failed(text: string): void;
};

/** In production lines of the log, on stderr; else text for the person who started the server. */
export function createVoice(isProduction: boolean): Voice {
  return isProduction ? logVoice() : textVoice();
}

function logVoice(): Voice {
  const log = createLifeLog();
  return {
    say: (text) => log.info({}, text),
    ready: ({ port, baseUrl }, tookMs) =>
      log.info({ port, base_url: baseUrl, took_ms: Math.round(tookMs) }, 'the server is ready'),
    stopping: () => log.info({}, 'the server is stopping'),
    stopped: () => log.info({}, 'the server has stopped'),
    failed: (text) => {
      const [first = '', ...rest] = text.split('\n');
      // A stack belongs to its error; sentences stand for themselves.
      if (rest.some((line) => /^\s+at /u.test(line))) log.fatal({ stack: text }, first);
      else for (const line of [first, ...rest]) log.fatal({}, line);
    },
  };
}

function textVoice(): Voice {
  const say = (line: string): void => void process.stdout.write(`${line}\n`);
  return {
    say,
    ready: ({ baseUrl, demo }, tookMs) => {
      say(`ready in ${(tookMs / 1000).toFixed(1)} s: ${baseUrl}  (reference: ${baseUrl}/docs)`);
      if (demo !== null) showDemo(say, baseUrl, demo);
    },
    stopping: () => say('Stopping: finishing what is under way. Press Ctrl-C again to stop at once.'),
    stopped: () => undefined,
    failed: (text) => void process.stderr.write(`${text}\n`),
  };
}

function showDemo(say: (line: string) => void, baseUrl: string, { facts, curl }: NonNullable<Ready['demo']>): void {
  const { vendor, staff, couriers } = facts;
  say('');
  say('Demo, test mode (also in demo.json of the data folder). Only this machine reaches it unless HOST is set:');
  say(`  vendor key   ${vendor.api_key}`);
  say(`  console      ${baseUrl}/console  (${staff.email} / ${staff.password})`);
  say(`  couriers     ${couriers.map(({ phone }) => phone).join('  ')}  (one-time code 000000)`);
  say('');
  say('Create a delivery that a robo-courier carries out in half a minute, then open tracking_url of the answer:');
  say(`  ${curl}`);
}
