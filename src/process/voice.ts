import { createLifeLog } from '../log.ts';
import type { DemoFacts } from '../models/setting-shapes.ts';

export type Ready = {
  readonly port: number;
  readonly baseUrl: string;
  readonly demo: { readonly facts: DemoFacts; readonly curl: string; readonly balanceCurl: string } | null;
};

/** Reports the start and the end of the process to the person or program that started it. */
export type Voice = {
  /** Reports a step of the start. */
  say(text: string): void;
  /** Reports what the server has to do without. */
  warn(text: string): void;
  ready(server: Ready, tookMs: number): void;
  stopping(): void;
  stopped(): void;
  /** Reports why the process ends unexpectedly. Each line of the text is a sentence. */
  failed(text: string): void;
};

/** In production it writes lines of the log to stderr. Elsewhere it prints text for the person who started the server. */
export function createVoice(isProduction: boolean): Voice {
  return isProduction ? logVoice() : textVoice();
}

function logVoice(): Voice {
  const log = createLifeLog();
  return {
    say: (text) => log.info({}, text),
    warn: (text) => log.warn({}, text),
    ready: ({ port, baseUrl }, tookMs) =>
      log.info({ port, base_url: baseUrl, took_ms: Math.round(tookMs) }, 'the server is ready'),
    stopping: () => log.info({}, 'the server is stopping'),
    stopped: () => log.info({}, 'the server has stopped'),
    failed: (text) => {
      const [first = '', ...rest] = text.split('\n');
      // A stack stays with its error; independent sentences are separate lines.
      if (rest.some((line) => /^\s+at /u.test(line))) log.fatal({ stack: text }, first);
      else for (const line of [first, ...rest]) log.fatal({}, line);
    },
  };
}

function textVoice(): Voice {
  // A reader that has gone and a full disk must not end the server.
  for (const output of [process.stdout, process.stderr]) output.on('error', () => undefined);
  const say = (line: string): void => void process.stdout.write(`${line}\n`);
  return {
    say,
    warn: say,
    ready: ({ baseUrl, demo }, tookMs) => {
      say(`ready in ${(tookMs / 1000).toFixed(1)} s: ${baseUrl}  (reference: ${baseUrl}/docs)`);
      if (demo !== null) showDemo(say, baseUrl, demo);
    },
    stopping: () => say('Stopping: finishing requests in flight. Press Ctrl-C again to stop at once.'),
    stopped: () => undefined,
    failed: (text) => void process.stderr.write(`${text}\n`),
  };
}

function showDemo(say: (line: string) => void, baseUrl: string, demo: NonNullable<Ready['demo']>): void {
  const { vendor, staff, couriers } = demo.facts;
  say('');
  say('Demo in test mode (also in demo.json of the data folder). Only this machine can reach it unless HOST is set:');
  say(`  vendor key   ${vendor.api_key}`);
  say(`  console      ${baseUrl}/console  (${staff.email} / ${staff.password})`);
  say(`  couriers     ${couriers.map(({ phone }) => phone).join('  ')}  (one-time code 000000)`);
  say('');
  say('To create a delivery that a robo-courier completes in half a minute, run this and open the tracking_url:');
  say(`  ${demo.curl}`);
  say('The wallet of its vendor has test money from the sandbox gateway. To see the balance before and after, run:');
  say(`  ${demo.balanceCurl}`);
}
