import { STAFF_ROLES, type StaffRole } from '../../../src/domain/access.ts';
import type { CourierId, VendorId } from '../../../src/domain/ids.ts';
import type { Allowed } from '../../../src/http/policy.ts';
import { addCourier, addDelivery, addStaff, addVendor, call, type House } from '../house.ts';
import type { Thing } from './objects.ts';

/** The accounts of the matrix. */
export type People = {
  readonly vendor: { readonly id: VendorId; readonly key: string; readonly liveKey: string };
  readonly otherVendor: { readonly id: VendorId; readonly key: string };
  readonly courier: { readonly id: CourierId; readonly token: string };
  readonly otherCourier: { readonly id: CourierId; readonly token: string };
  readonly staff: Readonly<Record<StaffRole, string>>;
  readonly service: string;
  /** The token of a tracking link, sent as a credential. */
  readonly recipient: string;
};

/** A caller of the matrix. `kind` is null if the credential proves nobody. */
export type MatrixCaller = {
  readonly name: string;
  readonly token: string | undefined;
  readonly kind: 'vendor' | 'courier' | 'staff' | 'internal' | null;
  readonly role?: StaffRole;
  /** Says whether this caller reaches the object, if the route allows them. */
  readonly reaches: (thing: Thing) => boolean;
};

export async function makePeople(house: House): Promise<People> {
  const vendor = await addVendor(house);
  const roles = await Promise.all(STAFF_ROLES.map(async (role) => [role, await addStaff(house, role)] as const));
  const delivery = await addDelivery(house, vendor.key);
  const link = await call(house, `GET /deliveries/${delivery}/tracking-url`, { token: vendor.key });
  return {
    vendor: { ...vendor, liveKey: (await house.ctx.credentials.addVendorKey(vendor.id, true)).key },
    otherVendor: await addVendor(house),
    courier: await addCourier(house),
    otherCourier: await addCourier(house),
    staff: Object.fromEntries(roles) as Record<StaffRole, string>,
    service: await house.ctx.credentials.issueInternal('chat', 600),
    recipient: String(link.body['url']).split('/').at(-1) ?? '',
  };
}

/** Every kind of caller. */
export function callersOf({
  vendor,
  otherVendor,
  courier,
  otherCourier,
  staff,
  service,
  recipient,
}: People): MatrixCaller[] {
  const none = (): boolean => false;
  const ofVendor = (name: string, token: string, id: VendorId, mode: boolean): MatrixCaller => {
    const reaches = ({ vendorId, liveMode }: Thing): boolean => vendorId === id && (liveMode ?? mode) === mode;
    return { name, token, kind: 'vendor', reaches };
  };
  const ofCourier = (name: string, { id, token }: People['courier']): MatrixCaller => {
    const reaches = (thing: Thing): boolean => thing.courierId === id || thing.token === token;
    return { name, token, kind: 'courier', reaches };
  };
  const ofStaff = (role: StaffRole): MatrixCaller => {
    const token = staff[role];
    const reaches = (thing: Thing): boolean => thing.token === undefined || thing.token === token;
    return { name: `staff (${role})`, token, kind: 'staff', role, reaches };
  };
  const nobody = (name: string, token: string | undefined): MatrixCaller => ({
    name,
    token,
    kind: null,
    reaches: none,
  });
  return [
    ofVendor('a vendor in test mode', vendor.key, vendor.id, false),
    ofVendor('the vendor in live mode', vendor.liveKey, vendor.id, true),
    ofVendor('another vendor', otherVendor.key, otherVendor.id, false),
    ofCourier('the courier', courier),
    ofCourier('another courier', otherCourier),
    ...STAFF_ROLES.map(ofStaff),
    { name: 'a service', token: service, kind: 'internal', reaches: ({ token }) => token === undefined },
    nobody('a recipient', recipient),
    nobody('nobody', undefined),
    nobody('a mistyped key', `${vendor.key.slice(0, -1)}-`),
    nobody('a forged token', `${service.slice(0, -4)}AAAA`),
  ];
}

/** The verdict of the policy alone on this caller. */
export function verdictOf(allowed: Allowed, { kind, role }: MatrixCaller): 'let in' | 401 | 403 {
  if (allowed.anyone === true) return 'let in';
  if (kind === null) return 401;
  if (kind !== 'staff') return allowed[kind] === undefined ? 403 : 'let in';
  const roles = allowed.staff;
  return roles === 'any' || (role !== undefined && roles?.includes(role) === true) ? 'let in' : 403;
}
