import { z } from 'zod';
import { idSchema, type VendorId } from '../../../domain/ids.ts';

/** Whose money staff ask about. Vendors leave it out. */
export const PAYER = {
  vendor_id: idSchema('ven').exactOptional().describe('The vendor, which staff must name. Vendors leave it out'),
  live_mode: z
    .enum(['true', 'false'])
    .transform((word) => word === 'true')
    .exactOptional()
    .describe('For staff: the mode, by default true'),
};

export type AskedPayer = { readonly vendor_id?: VendorId; readonly live_mode?: boolean };
