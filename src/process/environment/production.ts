import { distance } from 'fastest-levenshtein';
import { isGuessable } from './guessable.ts';
import { isUrl } from './map-variables.ts';
import { SECRET_NAMES } from '../../models/secrets/secrets.ts';

type Given = Readonly<Record<string, string>>;

/** All secrets. Production starts without the last two. */
const ALL_SECRETS = [...SECRET_NAMES, 'METRICS_TOKEN', 'PUSH_SECRET'] as const;
const NEEDED = ['MONGO_URL', 'REDIS_URL', 'BASE_URL', 'OTP_URL', ...SECRET_NAMES] as const;

/** Secrets that differ by fewer characters are copies of each other. Random secrets differ by far more. */
const LEAST_APART = 8;
const MAPS = ['MAP_TILES', 'MAP_STYLE_URL'] as const;
const LOOPBACK = /^(localhost|127\.0\.0\.1|\[::1\])$/u;

/**
 * Lists the reasons why production refuses these variables, one sentence each.
 * @param given the variables that are set
 * @param wrong the variables for which a mistake has been reported already; they are left out
 * @param describe gives the purpose of a variable
 */
export function productionMistakes(
  given: Given,
  wrong: ReadonlySet<string>,
  describe: (name: (typeof NEEDED)[number]) => string,
): string[] {
  const missing = NEEDED.filter((name) => given[name] === undefined && !wrong.has(name)).map(
    (name) => `${name}: must be set in production (${describe(name)})`,
  );
  const sound = Object.fromEntries(Object.entries(given).filter(([name]) => !wrong.has(name)));
  return [
    ...missing,
    ...plainAddresses(sound),
    ...plainMaps(sound),
    ...guessable(sound),
    ...alike(sound),
    ...fastClock(sound),
  ];
}

function plainAddresses({ BASE_URL: baseUrl, OTP_URL: otpUrl, PUSH_URL: pushUrl }: Given): string[] {
  return [
    ...(baseUrl === undefined || isSafe(new URL(baseUrl), LOOPBACK)
      ? []
      : ['BASE_URL: must start with https: in production, unless it names this machine (localhost)']),
    ...(otpUrl === undefined || isSafe(new URL(otpUrl), null)
      ? []
      : ['OTP_URL: must start with https: in production, because one-time codes are sent there']),
    ...(pushUrl === undefined || isSafe(new URL(pushUrl), null)
      ? []
      : ['PUSH_URL: must start with https: in production, because tokens of phones are sent there']),
  ];
}

/** Browsers load nothing over http into a page of https, except from their own machine. */
function plainMaps(given: Given): string[] {
  const urls = MAPS.map((name) => ({ name, url: given[name] ?? '' })).filter(({ url }) => isUrl(url));
  return urls
    .filter(({ url }) => !isSafe(new URL(url), LOOPBACK))
    .map(({ name }) => `${name}: must start with https: in production, because browsers load nothing else into pages`);
}

function isSafe({ protocol, hostname }: URL, plainHosts: RegExp | null): boolean {
  return protocol === 'https:' || plainHosts?.test(hostname) === true;
}

function guessable(given: Given): string[] {
  return ALL_SECRETS.filter((name) => given[name] !== undefined && isGuessable(secretIn(given, name))).map(
    (name) => `${name}: can be guessed; create it with openssl rand -hex 32, or TOKEN_KEY as a random Ed25519 key`,
  );
}

/** The secret part of a variable. For a token key, only the private half is secret. */
function secretIn(given: Given, name: (typeof ALL_SECRETS)[number]): string {
  const text = given[name] ?? '';
  return name === 'TOKEN_KEY' ? String((JSON.parse(text) as { d?: unknown }).d) : text;
}

function alike(given: Given): string[] {
  const named = ALL_SECRETS.filter((name) => given[name] !== undefined);
  const pairs = named.flatMap((name, index) => named.slice(index + 1).map((other) => [name, other] as const));
  return pairs
    .filter(([a, b]) => distance(secretIn(given, a), secretIn(given, b)) < LEAST_APART)
    .map(([a, b]) => `${a}, ${b}: must be independent of each other, so that a leak of one does not reveal the other`);
}

function fastClock({ CLOCK_SCALE: scale = '1' }: Given): string[] {
  return Number(scale) === 1 ? [] : ['CLOCK_SCALE: must be left out, because service time is real time in production'];
}
