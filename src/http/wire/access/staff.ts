import { z } from 'zod';
import { STAFF_ROLES } from '../../../domain/access.ts';
import { idSchema } from '../../../domain/ids.ts';
import { isoTime } from '../../../domain/time.ts';
import type { StaffMember } from '../../../ports/access.ts';

const Roles = z
  .array(z.enum(STAFF_ROLES))
  .min(1)
  .max(STAFF_ROLES.length)
  .transform((roles) => [...new Set(roles)]);

const Password = z.string().min(12).max(256);

export const NewStaffBody = z.strictObject({
  email: z.email().max(254).describe('The e-mail address with which they log in, at most 254 characters'),
  roles: Roles.describe('The roles, which decide what they may do'),
  password: Password.exactOptional().describe(
    'The first password, 12 to 256 characters. Without it the answer contains a random one',
  ),
});

export const StaffRolesBody = z.strictObject({
  roles: Roles.describe('The roles, in place of all earlier ones'),
});

export const ResetStaffBody = z.strictObject({
  password: Password.exactOptional().describe(
    'The new password, 12 to 256 characters. Without it the answer contains a random one',
  ),
});

export const OwnPasswordBody = z.strictObject({
  current_password: z.string().min(1).max(256).describe('The present password, 1 to 256 characters'),
  new_password: Password.describe('The new password, 12 to 256 characters'),
});

export const StaffView = z.strictObject({
  id: idSchema('stf').describe('The id of the member of staff'),
  object: z.literal('staff').describe('The kind of object'),
  email: z.string().describe('The e-mail address with which they log in'),
  roles: z.array(z.enum(STAFF_ROLES)).describe('The roles'),
  created_at: z.iso.datetime().nullable().describe('When the account was made, UTC; null for an old account'),
  password: z
    .string()
    .exactOptional()
    .describe('A random password. Only the answer that makes it contains it, and they should change it'),
});

export function presentStaff({ id, email, roles, createdAt }: StaffMember): z.output<typeof StaffView> {
  return {
    id,
    object: 'staff',
    email,
    roles: [...roles],
    created_at: createdAt === null ? null : isoTime(createdAt),
  };
}
