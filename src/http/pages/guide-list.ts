/** The guides in the order in which a newcomer reads them. Each is a file of `docs/guides/`. */
export const GUIDES = [
  { name: 'getting-started', title: 'Getting started' },
  { name: 'deliveries', title: 'Deliveries' },
  { name: 'wallets', title: 'Wallets, refunds, settlements and invoices' },
  { name: 'proof', title: 'Proof of delivery' },
  { name: 'tracking', title: 'Tracking' },
  { name: 'locations', title: 'Locations, hours and coverage' },
  { name: 'analytics', title: 'Analytics' },
  { name: 'authentication', title: 'Authentication' },
  { name: 'errors', title: 'Errors' },
  { name: 'pagination', title: 'Lists and pages' },
  { name: 'idempotency', title: 'Safe retries' },
  { name: 'rate-limits', title: 'Rate limits' },
  { name: 'typescript-client', title: 'TypeScript client' },
  { name: 'webhooks', title: 'Webhooks' },
  { name: 'test-mode', title: 'Test mode' },
  { name: 'courier-app', title: 'Build a courier app' },
] as const;
