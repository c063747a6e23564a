// The settings that the servers of a run work with: their defaults, the environment, and what --set names.
import { ConfigError, readConfig, settingNames } from '../../src/config.ts';
import type { Settings } from '../../src/settings.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** What a run decides by itself for each of its servers, and which programs its engines are. */
const OWN = ['NODE_ENV', 'PORT', 'DATA_DIR', 'MONGO_URL', 'REDIS_URL', 'MONGOD_BIN', 'REDIS_BIN', 'CLOCK_SCALE'];

/** Reads `NAME=VALUE` pairs by the server's own rules. @throws Error with a sentence for the user */
export function parseSettings(pairs: readonly string[]): Record<string, string> {
  const set = Object.fromEntries(pairs.map(parsePair));
  try {
    readConfig(set);
  } catch (error) {
    // The server's own words for a value that it would not start with.
    if (error instanceof ConfigError) throw new Error(`--set ${error.message}`, { cause: error });
    throw error;
  }
  return set;
}

function parsePair(pair: string): [string, string] {
  const at = pair.indexOf('=');
  const name = pair.slice(0, Math.max(0, at));
  if (name === '') throw new Error(`--set needs NAME=VALUE: ${pair}`);
  if (OWN.includes(name)) throw new Error(`--set ${name}: the simulation sets it itself`);
  if (!settingNames().includes(name)) {
    throw new Error(`--set ${name}: no such setting; docs/settings.md lists them`);
  }
  return [name, pair.slice(at + 1)];
}

/** The settings of a server with this environment. @throws ConfigError when it would not start with it */
export function settingsOf(environment: Environment): Settings {
  // Whatever engines it is given: they change no setting.
  return readConfig({ ...environment, MONGO_URL: '', REDIS_URL: '' }).settings;
}
