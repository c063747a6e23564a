import { endpoint } from '../../endpoint.ts';
import { OtpBody, OtpView, presentTokens, TokenBody, TokenView } from '../../wire/access/token.ts';

const tag = 'Sign-in';
/** Anybody may send these bodies, and none of them is longer than a token. */
const bodyLimit = 'maxAuthBodyBytes';

/** Login of couriers and staff. */
export const AUTH = [
  endpoint({
    route: 'POST /auth/otp',
    tag,
    bodyLimit,
    summary: 'Send a one-time code to the phone of a courier; the answer is the same for every phone',
    body: OtpBody,
    reply: OtpView,
    status: 202,
    run: async (ctx, { body, address }) => {
      await ctx.credentials.requestOtp(body.phone, address.network);
      return { object: 'one_time_code' as const, expires_in: ctx.settings.auth.otpTtlS };
    },
  }),
  endpoint({
    route: 'POST /auth/token',
    tag,
    bodyLimit,
    summary: 'Exchange a one-time code, a password or a refresh token for tokens',
    body: TokenBody,
    reply: TokenView,
    status: 200,
    run: async (ctx, { body, address }) => presentTokens(await ctx.credentials.grant(body, address.network)),
  }),
  endpoint({
    route: 'POST /auth/logout',
    tag,
    bodyLimit,
    summary: 'End the session of the token',
    status: 204,
    run: (ctx, { caller }) => ctx.credentials.logout(caller),
  }),
];
