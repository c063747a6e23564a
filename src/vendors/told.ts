import type { Contact } from '../domain/deliveries/stops/stop.ts';
import type { Vendor, VendorLocation } from '../domain/vendors/vendor.ts';

type Address = VendorLocation['address'] | NonNullable<Vendor['business']['address']>;

/** An address as the audit log shows it: in one line. */
export function addressLine(address: Address): string {
  return typeof address === 'string' ? address : Object.values(address).join(', ');
}

/** A contact as the audit log shows it: in one line. */
export function contactLine({ name, phone, email }: Contact): string {
  return [name, phone, ...(email === undefined ? [] : [email])].join(', ');
}
