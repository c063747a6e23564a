import { pino } from 'pino';
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

/** Creates the log of the process. It writes JSON lines to stderr, because stdout is for people. */
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

/** Creates the log of start and end, in the same form. It writes synchronously, because the process may end next. */
export function createLifeLog(): Pick<Log, 'info' | 'warn'> & { fatal(fields: object, message: string): void } {
  const logger = pino({ level: 'info' }, pino.destination({ dest: 2, sync: true }));
  return {
    info: (fields, message) => logger.info(fields, message),
    warn: (fields, message) => logger.warn(fields, message),
    fatal: (fields, message) => logger.fatal(fields, message),
  };
}
