import { pino, type DestinationStream } from 'pino';
import { Refusal } from './domain/refusals/refusals.ts';
import type { Log } from './ports/process.ts';

/** Fields that may contain a secret or personal data. */
const REDACTED = [
  'token',
  'access_token',
  'refresh_token',
  'api_key',
  'authorization',
  'phone',
  'code',
  'password',
  'secret',
];

/** The most characters of lines that wait while they cannot be written. */
const MOST_WAITING = 8 * 1024 * 1024;

/** Creates the log of the process. It writes JSON lines to stderr, because stdout is for people. */
export function createLog(level: string): Log {
  const paths = REDACTED.flatMap((field) => [field, `*.${field}`]);
  const destination = openStderr(false);
  const redact = { paths, censor: '…' };
  const logger = pino({ level, redact, serializers: { error: textOf } }, destination);
  const auditor = pino({ level: 'info', redact }, destination).child({ audit: true });
  return {
    audit: (fields, message) => auditor.info(fields, message),
    info: (fields, message) => logger.info(fields, message),
    warn: (fields, message) => logger.warn(fields, message),
    error: (fields, message) => logger.error(fields, message),
    // The connections to the engines know their outages.
    covers: () => false,
  };
}

/** An error in the log. The text of a refusal helps callers to repeat a request, but an operator needs its cause. */
export function textOf(error: unknown): string {
  return String(error instanceof Refusal ? (error.cause ?? error) : error);
}

/** Creates the log of start and end, in the same form. It writes synchronously, because the process may end next. */
export function createLifeLog(): Pick<Log, 'info' | 'warn'> & { fatal(fields: object, message: string): void } {
  const logger = pino({ level: 'info' }, openStderr(true));
  return {
    info: (fields, message) => logger.info(fields, message),
    warn: (fields, message) => logger.warn(fields, message),
    fatal: (fields, message) => logger.fatal(fields, message),
  };
}

/** A full disk must not end the server. The lines that wait are written with the next one that can be. */
function openStderr(sync: boolean): DestinationStream {
  const stderr = pino.destination({ dest: 2, sync, maxLength: MOST_WAITING });
  let isFailing = false;
  stderr.on('error', () => (isFailing = true));
  stderr.on('write', () => (isFailing = false));
  // When its memory is full, the library drops a line without a try. An empty line always fits and makes it try.
  stderr.on('drop', () => stderr.write(''));
  // At the exit of the process, the library would try again and again until the lines are written.
  const flushSync = stderr.flushSync.bind(stderr);
  stderr.flushSync = () => void (isFailing || flushSync());
  return stderr;
}
