import { STAFF_ROLES, type StaffRole } from '../../domain/access.ts';
import { presentStaff } from '../../http/wire/access/staff.ts';
import type { NewStaff, StaffDirectory, StaffMember } from '../../ports/access.ts';
import { UsageError } from '../command-line.ts';
import { collect, given, readOptions, type Deed, type Environment } from './command.ts';

const [LEAST_PASSWORD, MOST_PASSWORD] = [12, 256];

/** Adds an account of a member of staff. With `--reset` it sets password and roles of an existing one. */
export function addStaff(args: readonly string[], env: Environment): Deed {
  const isReset = args.includes('--reset');
  const options = readOptions(
    args.filter((arg) => arg !== '--reset'),
    ['email', 'roles'],
  );
  const password = passwordOf(env);
  const staff = { email: given(options.email, '--email'), password, roles: rolesOf(options.roles) };
  return isReset ? replace(staff) : addNew(staff);
}

function addNew(staff: NewStaff): Deed {
  const { email, roles } = staff;
  return async ({ parts: { credentials } }) => {
    const id = await credentials.addStaff(staff);
    if (id !== null) return { staff_id: id, email, roles };
    throw new Error(
      `${email} already has an account. Nothing was changed. Use --reset to set its password and roles and to end its sessions.`,
    );
  };
}

function replace(staff: NewStaff): Deed {
  const { email, roles } = staff;
  return async ({ parts: { credentials } }) => {
    const reset = await credentials.resetStaff(staff);
    if (reset === null) throw new Error(`${email} has no account. Nothing was changed. Leave out --reset to add one.`);
    return { staff_id: reset.staffId, email, roles, ended_sessions: reset.endedSessions };
  };
}

/** Lists the accounts of staff, newest first. */
export function listStaff(args: readonly string[]): Deed {
  readOptions(args, []);
  return async ({ parts: { staff } }) => {
    const { data, has_more } = await collect((page) => staff.list(page));
    return { data: data.map(presentStaff), has_more };
  };
}

/** Replaces the roles of a member of staff and ends their sessions. */
export function setStaffRoles(args: readonly string[]): Deed {
  const options = readOptions(args, ['email', 'roles']);
  const [email, roles] = [given(options.email, '--email'), rolesOf(options.roles)];
  return async ({ parts: { staff } }) => {
    const { endedSessions, ...member } = await staff.setRoles((await memberWith(staff, email)).id, roles);
    return { ...presentStaff(member), ended_sessions: endedSessions };
  };
}

/** Sets the password of a member of staff and ends their sessions. */
export function resetStaff(args: readonly string[], env: Environment): Deed {
  const email = given(readOptions(args, ['email']).email, '--email');
  const password = passwordOf(env);
  return async ({ parts: { staff } }) => {
    const { endedSessions, ...member } = await staff.reset((await memberWith(staff, email)).id, password);
    return { ...presentStaff(member), ended_sessions: endedSessions };
  };
}

/** Removes an account of a member of staff and ends its sessions. A repeat ends sessions that a cut-off removal has left. */
export function removeStaff(args: readonly string[]): Deed {
  const email = given(readOptions(args, ['email']).email, '--email');
  return async ({ parts: { staff } }) => {
    const removed = await staff.endRemoved(email);
    if (removed !== null) return { removed };
    const { id } = await memberWith(staff, email);
    await staff.remove(id);
    return { removed: id };
  };
}

async function memberWith(staff: StaffDirectory, email: string): Promise<StaffMember> {
  const member = await staff.find(email);
  if (member === null) throw new Error(`${email} has no account. Nothing was changed.`);
  return member;
}

function passwordOf(env: Environment): string {
  const password = given(env['STAFF_PASSWORD'], 'STAFF_PASSWORD');
  if (password.length >= LEAST_PASSWORD && password.length <= MOST_PASSWORD) return password;
  throw new UsageError(
    password.length < LEAST_PASSWORD
      ? `STAFF_PASSWORD must have at least ${LEAST_PASSWORD} characters.`
      : `STAFF_PASSWORD must have at most ${MOST_PASSWORD} characters.`,
  );
}

function rolesOf(value: string | undefined): StaffRole[] {
  const roles = new Set(given(value, '--roles').split(','));
  const unknown = [...roles].filter((role) => !(STAFF_ROLES as readonly string[]).includes(role));
  if (unknown.length === 0) return [...roles] as StaffRole[];
  throw new UsageError(`--roles must list roles from ${STAFF_ROLES.join(', ')}; unknown: ${unknown.join(', ')}.`);
}
