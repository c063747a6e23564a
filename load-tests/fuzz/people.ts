// Those who call the server in a run, and the objects that they own.
import type { Api } from '../clients/api.ts';
import type { DemoFacts } from '../servers/fleet.ts';

export const ROLES = ['vendor', 'courier', 'staff', 'nobody'] as const;
export type Role = (typeof ROLES)[number];

/** The security scheme of each role in the document. */
export const SCHEME_OF: Readonly<Record<Role, string | null>> = {
  vendor: 'vendorKey',
  courier: 'courierToken',
  staff: 'staffToken',
  nobody: null,
};

type Made = { readonly id: string };
type Tokens = { readonly access_token: string };

export type People = {
  readonly facts: DemoFacts;
  readonly api: Api;
  /** The access token of the demo's staff, an admin. */
  readonly staff: string;
  readonly courierId: string;
};

const COURIER_PHONE = '+4915100000001';

/** Onboards the courier of the run, and brings them to work at the demo's vendor location. */
export async function bringPeople(api: Api, facts: DemoFacts): Promise<People> {
  const staff = (await logIn(api, { grant_type: 'password', ...facts.staff })).access_token;
  const profile = { name: 'Ada Obi', phone: COURIER_PHONE, vehicle_type: 'scooter' };
  const { id } = await api.call<Made>('POST', '/couriers/onboard', { token: staff, body: profile });
  await api.call('POST', `/couriers/${id}/activate`, { token: staff });
  const people = { facts, api, staff, courierId: id };
  const token = await courierToken(people);
  const fix = { ...facts.center, seq: 1, recorded_at: new Date().toISOString(), accuracy_m: 5 };
  await api.call('PUT', `/couriers/${id}/location`, { token, body: fix });
  await api.call('PATCH', `/couriers/${id}/status`, { token, body: { status: 'online' } });
  return people;
}

/** A new credential of this role; null for a caller without one. */
export async function credentialOf(role: Role, people: People): Promise<string | null> {
  const { api, facts } = people;
  switch (role) {
    case 'nobody':
      return null;
    case 'vendor': {
      const body = { vendor_id: facts.vendor.id, live_mode: false, name: `for ${role}` };
      return (await api.call<{ key: string }>('POST', '/vendor/api-keys', { token: people.staff, body })).key;
    }
    case 'staff':
      return staffToken(people);
    case 'courier':
      return courierToken(people);
  }
}

/** The access token of a new member of staff who may do everything. */
export async function staffToken({ api, staff }: People): Promise<string> {
  const body = { email: `${crypto.randomUUID()}@example.com`, roles: ['admin', 'finance'] };
  const made = await api.call<{ password: string }>('POST', '/staff', { token: staff, body });
  return (await logIn(api, { grant_type: 'password', email: body.email, password: made.password })).access_token;
}

/** A new access token of the courier of the run. */
export async function courierToken({ api }: { readonly api: Api }): Promise<string> {
  await api.call('POST', '/auth/otp', { body: { phone: COURIER_PHONE } });
  return (await logIn(api, { grant_type: 'otp', phone: COURIER_PHONE, code: '000000' })).access_token;
}

function logIn(api: Api, body: Readonly<Record<string, string>>): Promise<Tokens> {
  return api.call('POST', '/auth/token', { body });
}
