const MOST_CHARACTERS = 200;
const HIDDEN = '…';
/** Ids of this server, which are not secret. */
const ID = /^[a-z]{3}_[0-9a-z]{26}$/;
/** A tracking token has 22 characters, and other secrets have more. */
const LEAST_SECRET = 20;

/**
 * The path of a request for the log, without its query and without anything that may be a token. If the route has a token
 * in its path, the token is hidden. Otherwise every long part that is not an id is hidden.
 * @param route the route in the table; null if no route matched
 */
export function loggedPath(route: string | null, path: string): string {
  if (route?.includes('{token}') === true) return route.slice(route.indexOf('/')).replace('{token}', HIDDEN);
  const parts = path.split('/').map((part) => (part.length >= LEAST_SECRET && !ID.test(part) ? HIDDEN : part));
  return parts.join('/').slice(0, MOST_CHARACTERS);
}
