import { refuseMissingScope, REVIEWERS, type Caller, type Scope, type StaffRole } from '../domain/access.ts';
import { anyOf, Refusal, refuseCaller } from '../domain/refusals/refusals.ts';

/**
 * The callers of a route. `own` allows a caller to reach what belongs to them: a vendor the objects of its account and mode,
 * a courier the deliveries that they carry. `self` allows a courier whose id is in the path. All others are refused.
 */
export type Allowed = {
  readonly vendor?: 'own';
  readonly courier?: 'self' | 'own';
  readonly staff?: 'any' | readonly StaffRole[];
  readonly internal?: 'any';
  /** A scraper of the metrics; see `guard-metrics.ts`. */
  readonly scraper?: 'any';
  readonly anyone?: true;
};

const OPERATORS = ['dispatcher', 'support', 'admin'] as const;
const ADMINS = ['admin'] as const;
const FINANCE = ['finance'] as const;
const MONEY_STAFF = ['support', 'finance', 'admin'] as const;
const PRICERS = ['finance', 'admin'] as const;
const DISPATCHERS = ['dispatcher', 'admin'] as const;

/** The one table of access: the middleware, the OpenAPI security sections and the test matrix read it. */
// One row per line: this is a table.
// oxfmt-ignore
export const POLICY = {
  'POST /express/quotes':                          { vendor: 'own' },
  'POST /express/deliveries':                      { vendor: 'own' },
  'GET /express/deliveries':                       { vendor: 'own' },
  'GET /express/deliveries/{id}':                  { vendor: 'own' },
  'POST /express/deliveries/{id}/cancel':          { vendor: 'own' },
  'GET /express/deliveries/{id}/cancel-preview':   { vendor: 'own' },
  'GET /express/deliveries/{id}/proof':            { vendor: 'own' },
  'GET /express/deliveries/{id}/tracking-link':    { vendor: 'own' },
  'GET /express/deliveries/{id}/tracking':         { vendor: 'own' },

  'POST /couriers/onboard':                        { staff: OPERATORS, internal: 'any' },
  'POST /couriers/{id}/documents':                 { courier: 'self', staff: OPERATORS, internal: 'any' },
  'GET /couriers/{id}':                            { courier: 'self', staff: 'any' },
  'POST /couriers/{id}/activate':                  { staff: OPERATORS },
  'POST /couriers/{id}/suspend':                   { staff: OPERATORS },
  'PATCH /couriers/{id}/status':                   { courier: 'self', staff: OPERATORS },
  'PUT /couriers/{id}/location':                   { courier: 'self', internal: 'any' },
  'GET /couriers/{id}/metrics':                    { courier: 'self', staff: 'any' },
  'POST /dispatch/assign':                         { staff: DISPATCHERS, internal: 'any' },
  'GET /dispatch/candidates':                      { staff: 'any' },
  'GET /dispatch/queue':                           { staff: DISPATCHERS },
  'GET /dispatch/decisions/{id}':                  { staff: 'any', internal: 'any' },
  'GET /dispatch/cells':                           { staff: 'any', internal: 'any' },
  'GET /couriers/{id}/deliveries':                 { courier: 'self', staff: 'any' },
  'GET /couriers/{id}/offers':                     { courier: 'self', staff: 'any' },
  'POST /couriers/{id}/offers/{offer_id}/accept':  { courier: 'self' },
  'POST /couriers/{id}/offers/{offer_id}/decline': { courier: 'self' },
  'POST /couriers/{id}/devices':                   { courier: 'self' },
  'GET /couriers/{id}/devices':                    { courier: 'self', staff: 'any' },
  'DELETE /couriers/{id}/devices/{device_id}':     { courier: 'self', staff: OPERATORS },
  'GET /couriers/{id}/documents':                  { courier: 'self', staff: REVIEWERS },
  'GET /couriers/{id}/documents/{document_id}':    { courier: 'self', staff: REVIEWERS },
  'GET /couriers':                                 { staff: 'any' },
  'PATCH /couriers/{id}':                          { courier: 'self', staff: OPERATORS },
  'GET /kyc/documents':                            { staff: REVIEWERS },
  'GET /kyc/documents/{id}':                       { staff: REVIEWERS },
  'POST /kyc/documents/{id}/review':               { staff: REVIEWERS },
  'POST /kyc/documents/{id}/decide':               { staff: REVIEWERS },
  'GET /couriers/{id}/earnings':                   { courier: 'self', staff: MONEY_STAFF },
  'PUT /couriers/{id}/bank-account':               { courier: 'self', staff: REVIEWERS },

  'GET /wallets/balance':                          { vendor: 'own' },
  'POST /wallets/fund':                            { vendor: 'own' },
  'GET /wallets/top-ups':                          { vendor: 'own', staff: FINANCE },
  'GET /wallets/top-ups/{id}':                     { vendor: 'own', staff: FINANCE },
  'POST /wallets/top-ups/{id}/refunds':            { staff: FINANCE },
  'GET /wallets/refunds':                          { staff: FINANCE },
  'GET /wallets/refunds/{id}':                     { staff: FINANCE },
  'POST /wallets/refunds/{id}/resolve':            { staff: FINANCE },
  'GET /wallets/suspense':                         { staff: FINANCE },
  'GET /wallets/reconciliations':                  { staff: FINANCE },
  'POST /wallets/suspense/{id}/decide':            { staff: FINANCE },
  'POST /wallets/suspense/{id}/approve':           { staff: FINANCE },
  'POST /gateways/{gateway}/callbacks':            { anyone: true },
  'GET /billing/transactions':                     { vendor: 'own', staff: PRICERS },
  'GET /billing/invoices':                         { vendor: 'own', staff: PRICERS },
  'GET /billing/invoices/{id}':                    { vendor: 'own', staff: PRICERS },
  'GET /billing/transactions/{id}':                { vendor: 'own', staff: PRICERS },
  'POST /payouts/process':                         { staff: FINANCE, internal: 'any' },
  'GET /payouts':                                  { staff: FINANCE, internal: 'any' },
  'POST /payouts/{id}/approve':                    { staff: FINANCE },
  'POST /payouts/{id}/resolve':                    { staff: FINANCE },

  'POST /deliveries':                              { vendor: 'own', staff: OPERATORS, internal: 'any' },
  'GET /deliveries':                               { vendor: 'own', staff: 'any', internal: 'any' },
  'GET /deliveries/{id}':                          { vendor: 'own', courier: 'own', staff: 'any', internal: 'any' },
  'PATCH /deliveries/{id}':                        { vendor: 'own', staff: OPERATORS, internal: 'any' },
  'POST /deliveries/{id}/cancel':                  { vendor: 'own', staff: OPERATORS },
  'GET /deliveries/{id}/cancel-preview':           { vendor: 'own', staff: OPERATORS },
  'POST /deliveries/{id}/stops/{stop}/arrive':     { courier: 'own' },
  'POST /deliveries/{id}/pick-up':                 { courier: 'own', staff: DISPATCHERS },
  'POST /deliveries/{id}/depart':                  { courier: 'own' },
  'POST /deliveries/{id}/stops/{stop}/deliver':    { courier: 'own', staff: DISPATCHERS },
  'POST /deliveries/{id}/stops/{stop}/fail':       { courier: 'own', staff: DISPATCHERS },
  'POST /deliveries/{id}/release':                 { vendor: 'own', courier: 'own', staff: DISPATCHERS },
  'POST /deliveries/{id}/refunds':                 { staff: PRICERS, internal: 'any' },
  'GET /deliveries/{id}/refunds':                  { vendor: 'own', staff: 'any', internal: 'any' },
  'GET /deliveries/{id}/status':                   { vendor: 'own', courier: 'own', staff: 'any', internal: 'any' },
  'GET /deliveries/{id}/history':                  { vendor: 'own', courier: 'own', staff: 'any', internal: 'any' },
  'POST /deliveries/{id}/rating':                  { vendor: 'own' },
  'GET /deliveries/{id}/proof':                    { vendor: 'own', staff: 'any', internal: 'any' },
  'POST /deliveries/{id}/stops/{stop}/proof':      { courier: 'own' },
  'GET /deliveries/{id}/tracking-url':             { vendor: 'own', staff: 'any', internal: 'any' },
  'GET /deliveries/{id}/live-location':            { vendor: 'own', staff: 'any', internal: 'any' },
  'GET /test/deliveries/{id}/advance':             { vendor: 'own', staff: OPERATORS },
  'POST /test/deliveries/{id}/advance':            { vendor: 'own', staff: OPERATORS },
  'GET /vendor/analytics/success-rate':            { vendor: 'own', staff: 'any', internal: 'any' },
  'GET /vendor/analytics/timings':                 { vendor: 'own', staff: 'any', internal: 'any' },
  'GET /vendor/analytics/delivery-costs':          { vendor: 'own', staff: 'any', internal: 'any' },
  'GET /vendor/analytics/rider-performance':       { vendor: 'own', staff: 'any', internal: 'any' },
  'GET /vendor/analytics/rider-performance/comments': { vendor: 'own', staff: 'any', internal: 'any' },
  'GET /vendor/profile':                         { vendor: 'own', staff: 'any' },
  'PATCH /vendor/hours':                         { vendor: 'own', staff: OPERATORS },
  'GET /vendor/locations':                       { vendor: 'own', staff: 'any' },
  'GET /vendor/coverage':                        { vendor: 'own', staff: 'any' },
  'PATCH /vendor/locations/{id}/readiness':      { vendor: 'own', staff: OPERATORS },
  'PATCH /vendor/profile':                       { vendor: 'own', staff: OPERATORS },
  'GET /vendor/hours':                           { vendor: 'own', staff: 'any' },
  'POST /vendor/locations':                      { staff: OPERATORS },
  'GET /vendor/locations/{id}':                  { vendor: 'own', staff: 'any' },
  'PATCH /vendor/locations/{id}':                { vendor: 'own', staff: OPERATORS },
  'POST /vendor/locations/{id}/zones':           { staff: OPERATORS },
  'PATCH /vendor/locations/{id}/zones/{zone_id}':{ staff: OPERATORS },
  'DELETE /vendor/locations/{id}/zones/{zone_id}':{ staff: OPERATORS },
  'POST /vendors':                               { staff: OPERATORS },
  'GET /vendors':                                { staff: 'any' },
  'GET /vendors/{id}':                           { staff: 'any' },
  'PATCH /vendors/{id}':                         { staff: OPERATORS },
  'POST /vendor/profile/logo':                   { vendor: 'own', staff: OPERATORS },
  'DELETE /vendor/profile/logo':                 { vendor: 'own', staff: OPERATORS },
  'POST /vendor/orders/{order_id}/dispatch':       { vendor: 'own', staff: OPERATORS, internal: 'any' },
  'PATCH /vendor/deliveries/{id}/ready':           { vendor: 'own', staff: OPERATORS, internal: 'any' },
  'POST /vendor/deliveries/{id}/delay':            { vendor: 'own', staff: OPERATORS, internal: 'any' },
  'GET /vendor/pricing-rules':                     { vendor: 'own', staff: 'any' },
  'POST /vendor/promotions/subsidy':               { vendor: 'own' },
  'POST /vendor/quotes/pre-calc':                  { vendor: 'own' },
  'POST /vendor/pricing-rules':                    { staff: PRICERS },
  'PATCH /vendor/pricing-rules/{id}':              { staff: PRICERS },
  'POST /vendor/pricing-rules/{id}/end':           { staff: PRICERS },
  'POST /vendor/disputes':                         { vendor: 'own' },
  'GET /vendor/disputes':                          { vendor: 'own' },
  'GET /vendor/disputes/{id}':                     { vendor: 'own' },
  'POST /vendor/disputes/{id}/withdraw':           { vendor: 'own' },
  'GET /disputes':                                 { staff: MONEY_STAFF },
  'GET /disputes/{id}':                            { staff: MONEY_STAFF },
  'POST /disputes/{id}/review':                    { staff: MONEY_STAFF },
  'POST /disputes/{id}/decide':                    { staff: MONEY_STAFF },
  'GET /vendor/settlement/charges':                { vendor: 'own', staff: PRICERS },
  'GET /settlement/vendors':                       { vendor: 'own', staff: PRICERS, internal: 'any' },
  'GET /settlement/vendors/{id}':                  { vendor: 'own', staff: PRICERS, internal: 'any' },
  'POST /settlement/vendors/{id}/approve':         { staff: FINANCE },
  'GET /vendor/settlement/payouts':                { vendor: 'own', staff: PRICERS },
  'GET /vendor/api-keys':                          { vendor: 'own', staff: ADMINS },
  'POST /vendor/api-keys':                         { vendor: 'own', staff: ADMINS },
  'DELETE /vendor/api-keys/{id}':                  { vendor: 'own', staff: ADMINS },
  'POST /vendor/api-keys/{id}/rotate':             { vendor: 'own', staff: ADMINS },
  'POST /webhooks':                                { vendor: 'own' },
  'GET /webhooks':                                 { vendor: 'own' },
  'GET /webhooks/{id}':                            { vendor: 'own' },
  'PATCH /webhooks/{id}':                          { vendor: 'own' },
  'DELETE /webhooks/{id}':                         { vendor: 'own' },
  'POST /webhooks/{id}/rotate-secret':             { vendor: 'own' },
  'POST /webhooks/{id}/test':                      { vendor: 'own' },
  'GET /webhooks/{id}/attempts':                   { vendor: 'own' },
  'POST /webhooks/{id}/replay':                    { vendor: 'own' },
  'GET /events':                                   { vendor: 'own' },
  'GET /events/{id}':                              { vendor: 'own' },
  'POST /auth/otp':                                { anyone: true },
  'POST /auth/token':                              { anyone: true },
  'POST /auth/logout':                             { courier: 'self', staff: 'any' },
  'GET /auth/sessions':                            { courier: 'own', staff: 'any' },
  'DELETE /auth/sessions/{id}':                    { courier: 'own', staff: 'any' },
  'DELETE /auth/sessions':                         { courier: 'own', staff: 'any' },
  'POST /staff':                                   { staff: ADMINS },
  'GET /staff':                                    { staff: ADMINS },
  'PATCH /staff/{id}':                             { staff: ADMINS },
  'POST /staff/{id}/reset':                        { staff: ADMINS },
  'DELETE /staff/{id}':                            { staff: ADMINS },
  'POST /staff/{id}/end-sessions':                 { staff: ADMINS },
  'POST /couriers/{id}/end-sessions':              { staff: ADMINS },
  'POST /staff/me/password':                       { staff: 'any' },
  'GET /audit':                                    { vendor: 'own', staff: ADMINS },
  'GET /files/{token}':                            { anyone: true },
  'GET /':                                         { anyone: true },
  'GET /t/{token}':                                { anyone: true },
  'POST /t/{token}/rating':                        { anyone: true },
  'GET /t/{token}/state':                          { anyone: true },
  'GET /t/{token}/logo':                           { anyone: true },
  'GET /console':                                  { anyone: true },
  'GET /healthz':                                  { anyone: true },
  'GET /readyz':                                   { anyone: true },
  'GET /metrics':                                  { scraper: 'any' },
  'GET /openapi.json':                             { anyone: true },
  'GET /asyncapi.json':                            { anyone: true },
  'GET /docs':                                     { anyone: true },
  'GET /docs/guides/{name}':                       { anyone: true },
  'GET /docs/problems':                            { anyone: true },
  'GET /docs/problems/{code}':                     { anyone: true },
  'GET /docs/reference':                           { anyone: true },
} as const satisfies Record<string, Allowed>;

export type Route = keyof typeof POLICY;

/** The callers that the row of this route allows; `never` if anyone may call. */
export type CallerOf<R extends Route> = Extract<Caller, { type: keyof (typeof POLICY)[R] }>;

/**
 * Refuses callers whom the policy does not allow: `forbidden` for the wrong kind of caller or role, `insufficient_scope` for
 * a key without the scope, and `courier_not_found` if a courier names another courier. Whose object it is (`own`) is checked
 * when it is read.
 * @param asked the id in the path, as sent, and the scope that the route demands of an API key
 */
export function authorise(
  allowed: Allowed,
  caller: Caller,
  { id, scope }: { readonly id: string | undefined; readonly scope: Scope | null },
): void {
  switch (caller.type) {
    case 'vendor':
    case 'internal':
      if (allowed[caller.type] === undefined) throw refuseCaller(caller.type, Object.keys(allowed));
      if (caller.type === 'vendor' && scope !== null) refuseMissingScope(caller.scopes, scope);
      return;
    case 'staff':
      if (allowed.staff === undefined) throw refuseCaller(caller.type, Object.keys(allowed));
      refuseOtherRoles(allowed.staff, caller.roles);
      return;
    case 'courier':
      if (allowed.courier === undefined) throw refuseCaller(caller.type, Object.keys(allowed));
      if (allowed.courier === 'self' && id !== undefined && id !== caller.courierId)
        throw new Refusal('courier_not_found');
      return;
    case 'recipient':
      throw refuseCaller(caller.type, Object.keys(allowed));
  }
}

function refuseOtherRoles(allowed: NonNullable<Allowed['staff']>, roles: readonly StaffRole[]): void {
  if (allowed === 'any' || roles.some((role) => allowed.includes(role))) return;
  const detail = `Only staff with the role ${anyOf(allowed)} may do this. This caller has ${anyOf(roles)}.`;
  throw new Refusal('forbidden', { detail });
}
