import type { Session } from '../../packages/client/src/credentials.ts';
import * as sessions from '../../packages/client/src/sessions.ts';
import type { Api } from './api.ts';

/** The code of every login in test mode. */
const CODE = '000000';

/** A staff member with a password. Tokens expire in machine time at any clock scale. */
export function staffSession({ options }: Api, staff: { email: string; password: string }): Session {
  return sessions.staffSession(staff, options);
}

/** A courier in test mode. */
export function courierSession({ options }: Api, phone: string): Session {
  return sessions.courierSession(phone, () => Promise.resolve(CODE), options);
}
