const MOST_CHARACTERS = 200;
const HIDDEN = '…';
/** Ids of ours name a thing and open nothing. */
const ID = /^[a-z]{3}_[0-9a-z]{26}$/;
/** A tracking token has 22 characters, and other secrets have more. */
const LEAST_SECRET = 20;

/**
 * The path of a request as it may stand in the log: without its query, and without what may be a token. Where a route of
 * ours has a token in its path, the route says where; elsewhere every long part that is not an id is hidden.
 * @param route the route as the table names it; null when none matched
 */
export function loggedPath(route: string | null, path: string): string {
  if (route?.includes('{token}') === true) return route.slice(route.indexOf('/')).replace('{token}', HIDDEN);
  const parts = path.split('/').map((part) => (part.length >= LEAST_SECRET && !ID.test(part) ? HIDDEN : part));
  return parts.join('/').slice(0, MOST_CHARACTERS);
}
