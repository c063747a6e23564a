import { z } from 'zod';
import { idSchema, type SessionId } from '../../../domain/ids.ts';
import { isoTime } from '../../../domain/time.ts';
import type { SessionInfo } from '../../../ports/access.ts';

export const SessionView = z.strictObject({
  id: idSchema('ses').describe('The id of the session'),
  object: z.literal('session').describe('The kind of object'),
  is_current: z.boolean().describe('True for the session of the token that asks'),
  device: z.string().nullable().describe('The program that logged in, from its `User-Agent`, at most 200 characters'),
  network: z
    .string()
    .nullable()
    .describe('The network of the login: an IPv4 address, or the first 64 bits of IPv6; null for an old session'),
  created_at: z.iso.datetime().nullable().describe('When the login was, UTC; null for an old session'),
  last_used_at: z.iso.datetime().describe('When its refresh token was last used, UTC'),
  expires_at: z.iso.datetime().describe('When the session ends if its refresh token is not used, UTC'),
});

export const EndSessionsQuery = z.strictObject({
  keep_current: z
    .enum(['true', 'false'])
    .transform((word) => word === 'true')
    .default(true)
    .describe('False ends the session of the token that asks as well'),
});

export const EndedView = z.strictObject({
  object: z.literal('ended_sessions').describe('The kind of object'),
  ended: z.int().min(0).describe('The number of sessions that were ended'),
});

export function presentSession(session: SessionInfo, current: SessionId): z.output<typeof SessionView> {
  return {
    id: session.id,
    object: 'session',
    is_current: session.id === current,
    device: session.device,
    network: session.network,
    created_at: session.createdAt === null ? null : isoTime(session.createdAt),
    last_used_at: isoTime(session.lastUsedAt),
    expires_at: isoTime(session.expiresAt),
  };
}
