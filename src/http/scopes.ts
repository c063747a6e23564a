import type { Scope, ScopeArea } from '../domain/access.ts';

/** The area of scopes to which the paths below each of these belong. The longest path that matches decides. */
// One row per line: this is a table.
// oxfmt-ignore
const AREAS: Readonly<Record<string, ScopeArea>> = {
  '/express':          'deliveries',
  '/deliveries':       'deliveries',
  '/test':             'deliveries',
  '/vendor':           'vendor',
  '/vendor/deliveries': 'deliveries',
  '/vendor/orders':    'deliveries',
  '/vendor/quotes':    'billing',
  '/vendor/promotions': 'billing',
  '/vendor/pricing-rules': 'billing',
  '/vendor/settlement': 'billing',
  '/vendor/disputes':  'billing',
  '/vendor/api-keys':  'keys',
  '/billing':          'billing',
  '/settlement':       'billing',
  '/disputes':         'billing',
  '/wallets':          'wallets',
  '/webhooks':         'webhooks',
  '/events':           'webhooks',
  '/audit':            'keys',
};

/** The scope that an API key needs for this route; null if no row of the table matches, and `mount` then refuses. */
export function scopeOf(route: string): Scope | null {
  const [verb, path = ''] = route.split(' ');
  const prefixes = Object.keys(AREAS).filter((prefix) => path === prefix || path.startsWith(`${prefix}/`));
  const [longest] = prefixes.toSorted((a, b) => b.length - a.length);
  const area = longest === undefined ? undefined : AREAS[longest];
  return area === undefined ? null : `${area}:${verb === 'GET' ? 'read' : 'write'}`;
}
