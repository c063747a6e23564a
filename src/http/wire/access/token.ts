import { z } from 'zod';
import { STAFF_ROLES } from '../../../domain/access.ts';
import { idSchema } from '../../../domain/ids.ts';
import type { Grant, Tokens } from '../../../ports/access.ts';
import { PhoneBody } from '../place.ts';

export const OtpBody = z.strictObject({ phone: PhoneBody });

export const OtpView = z.strictObject({ object: z.literal('one_time_code'), expires_in: z.number().int() });

const OtpGrant = z.strictObject({
  grant_type: z.literal('otp'),
  phone: PhoneBody,
  code: z.string().regex(/^\d{6}$/, 'must have six digits'),
});

const PasswordGrant = z.strictObject({
  grant_type: z.literal('password'),
  email: z.email().max(254),
  password: z.string().min(1).max(256),
});

const RefreshGrant = z.strictObject({
  grant_type: z.literal('refresh_token'),
  refresh_token: z.string().min(1).max(1024),
});

export const TokenBody = z
  .discriminatedUnion('grant_type', [OtpGrant, PasswordGrant, RefreshGrant])
  .transform((body): Grant => {
    switch (body.grant_type) {
      case 'otp':
        return { type: 'otp', phone: body.phone, code: body.code };
      case 'password':
        return { type: 'password', email: body.email, password: body.password };
      case 'refresh_token':
        return { type: 'refresh_token', refreshToken: body.refresh_token };
    }
  });

export const TokenView = z.strictObject({
  object: z.literal('token'),
  token_type: z.literal('Bearer'),
  access_token: z.string(),
  refresh_token: z.string(),
  expires_in: z.number().int().describe('Lifetime of the access token in seconds'),
  courier_id: idSchema('cou').exactOptional(),
  staff_id: idSchema('stf').exactOptional(),
  roles: z
    .array(z.enum(STAFF_ROLES))
    .exactOptional()
    .describe('The roles of the member of staff, which decide what they may do. Present if staff logged in'),
});

export function presentTokens(tokens: Tokens): z.output<typeof TokenView> {
  return {
    object: 'token',
    token_type: 'Bearer',
    access_token: tokens.accessToken,
    refresh_token: tokens.refreshToken,
    expires_in: tokens.expiresIn,
    ...(tokens.courierId === null ? {} : { courier_id: tokens.courierId }),
    ...(tokens.staffId === null ? {} : { staff_id: tokens.staffId }),
    ...(tokens.roles === null ? {} : { roles: [...tokens.roles] }),
  };
}
