/** The guides in the order in which a newcomer reads them. Each is a file of `docs/guides/`. */
export const GUIDES = [
  { name: 'getting-started', title: 'Getting started' },
  { name: 'authentication', title: 'Authentication' },
  { name: 'errors', title: 'Errors' },
  { name: 'pagination', title: 'Lists and pages' },
  { name: 'idempotency', title: 'Safe retries' },
  { name: 'rate-limits', title: 'Rate limits' },
  { name: 'webhooks', title: 'Webhooks' },
  { name: 'test-mode', title: 'Test mode' },
  { name: 'courier-app', title: 'Build a courier app' },
] as const;
