import { endpoint } from '../../endpoint.ts';
import { OtpBody, OtpView, presentTokens, TokenBody, TokenView } from '../../wire/access/token.ts';

const tag = 'Sign-in';
/** Anybody may send these bodies, and none of them is longer than a token. */
const bodyLimit = 'maxAuthBodyBytes';

/** Login of couriers and staff. */
export const AUTH = [
  endpoint({
    route: 'POST /auth/otp',
    name: 'requestOtp',
    tag,
    bodyLimit,
    summary: 'Send a one-time code to the phone of a courier; the answer is the same for every phone',
    description:
      'Sends a one-time code by text message if the phone belongs to an active courier. The answer is the same ' +
      'for every phone, so that nobody can find out who is a courier.',
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
    name: 'createToken',
    tag,
    bodyLimit,
    summary: 'Exchange a one-time code, a password or a refresh token for tokens',
    description:
      'Returns an access token and a refresh token for a one-time code, a password or a refresh token. A refresh ' +
      'token works once: each use returns the next one.',
    body: TokenBody,
    reply: TokenView,
    status: 200,
    refuses: [401],
    run: async (ctx, { body, address, device }) =>
      presentTokens(await ctx.credentials.grant(body, address.network, device)),
  }),
  endpoint({
    route: 'POST /auth/logout',
    name: 'logOut',
    tag,
    bodyLimit,
    summary: 'End the session of the token',
    description:
      'Ends the session of the token. Its access and refresh tokens stop working at once, and its sockets are ' +
      'closed.',
    status: 204,
    run: (ctx, { caller }) => ctx.credentials.logout(caller),
  }),
];
