import { pino } from 'pino';
import type { Log } from './ports/process.ts';

/** Fields that may hold a secret or say where a person is. */
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

/** The process's log: one JSON line each, to stderr so that stdout stays for people. */
export function createLog(level: string): Log {
  const paths = REDACTED.flatMap((field) => [field, `*.${field}`]);
  const destination = pino.destination({ dest: 2, sync: false });
  const redact = { paths, censor: '…' };
  const logger = pino({ level, redact }, destination);
  const auditor = pino({ level: 'info', redact }, destination).child({ audit: true });
  return {
    audit: (fields, message) => auditor.info(fields, message),
    info: (fields, message) => logger.info(fields, message),
    warn: (fields, message) => logger.warn(fields, message),
    error: (fields, message) => logger.error(fields, message),
  };
}

/** What the process says of its own life, in the same form: written at once, since the process may end with it. */
export function createLifeLog(): Pick<Log, 'info'> & { fatal(fields: object, message: string): void } {
  const logger = pino({ level: 'info' }, pino.destination({ dest: 2, sync: true }));
  return {
    info: (fields, message) => logger.info(fields, message),
    fatal: (fields, message) => logger.fatal(fields, message),
  };
}
