import { randomBytes } from 'node:crypto';
import { errors, importJWK, jwtVerify, SignJWT, type JWK, type JWTPayload } from 'jose';
import { STAFF_ROLES, type Caller, type StaffRole } from '../../../domain/access.ts';
import { isId } from '../../../domain/ids.ts';
import { Refusal } from '../../../domain/refusals/refusals.ts';
import type { Clock } from '../../../ports/process.ts';

export type TokenCaller = Extract<Caller, { type: 'courier' | 'staff' | 'internal' }>;

export type AccessTokens = {
  /** @param ttlS seconds of machine time */
  issue(caller: Unexpiring, ttlS: number): Promise<string>;
  /** Refuses `token_expired` for an expired token, and `unauthorized` for any other invalid one. */
  read(token: string): Promise<TokenCaller>;
};

type Unexpiring = TokenCaller extends infer C ? (C extends TokenCaller ? Omit<C, 'expiresAt'> : never) : never;

const ALGORITHM = 'EdDSA';
const ISSUER = 'dispatch';
const AUDIENCES = { courier: 'courier-app', staff: 'console', internal: 'internal' } as const;

/** Access tokens: JWTs signed with Ed25519. The server chooses the algorithm, whatever a token's header says. */
export function createAccessTokens(privateJwk: string, clock: Clock): AccessTokens {
  const { d: _, ...publicJwk } = JSON.parse(privateJwk) as JWK;
  const keys = Promise.all([importJWK(JSON.parse(privateJwk) as JWK, ALGORITHM), importJWK(publicJwk, ALGORITHM)]);
  return {
    issue: async (caller, ttlS) => {
      const [privateKey] = await keys;
      const nowS = Math.floor(clock.real.now() / 1000);
      return new SignJWT(claimsOf(caller))
        .setProtectedHeader({ alg: ALGORITHM, typ: 'JWT' })
        .setIssuer(ISSUER)
        .setAudience(AUDIENCES[caller.type])
        .setJti(randomBytes(16).toString('base64url'))
        .setIssuedAt(nowS)
        .setExpirationTime(nowS + ttlS)
        .sign(privateKey);
    },
    read: async (token) => {
      const [, publicKey] = await keys;
      try {
        const { payload } = await jwtVerify(token, publicKey, {
          algorithms: [ALGORITHM],
          issuer: ISSUER,
          audience: Object.values(AUDIENCES),
          requiredClaims: ['sub', 'exp'],
          currentDate: new Date(clock.real.now()),
        });
        return callerOf(payload);
      } catch (error) {
        // The library throws for every invalid token. The caller learns only whether a new token would help.
        throw new Refusal(error instanceof errors.JWTExpired ? 'token_expired' : 'unauthorized');
      }
    },
  };
}

function claimsOf(caller: Unexpiring): JWTPayload {
  switch (caller.type) {
    case 'courier':
      return { sub: caller.courierId, sid: caller.sessionId, live_mode: caller.liveMode };
    case 'staff':
      return { sub: caller.staffId, sid: caller.sessionId, roles: caller.roles };
    case 'internal':
      return { sub: caller.service };
  }
}

function callerOf({ sub = '', aud, exp = 0, sid, roles, live_mode: liveMode }: JWTPayload): TokenCaller {
  const expiresAt = exp * 1000;
  if (aud === AUDIENCES.internal) return { type: 'internal', service: sub, expiresAt };
  if (aud === AUDIENCES.courier && isId('cou', sub) && isId('ses', sid)) {
    return { type: 'courier', courierId: sub, liveMode: liveMode === true, sessionId: sid, expiresAt };
  }
  if (aud === AUDIENCES.staff && isId('stf', sub) && isId('ses', sid)) {
    return { type: 'staff', staffId: sub, roles: rolesOf(roles), sessionId: sid, expiresAt };
  }
  throw new Refusal('unauthorized');
}

function rolesOf(claim: unknown): StaffRole[] {
  return STAFF_ROLES.filter((role) => Array.isArray(claim) && claim.includes(role));
}
