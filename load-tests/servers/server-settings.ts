// The settings of the servers of a run: their defaults, the environment and the values of --set.
import { ConfigError, readConfig, settingNames } from '../../src/config.ts';
import type { Settings } from '../../src/settings.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Variables that the run sets itself for each of its servers, and those that name the programs of its engines. */
const OWN = ['NODE_ENV', 'PORT', 'DATA_DIR', 'MONGO_URL', 'REDIS_URL', 'MONGOD_BIN', 'REDIS_BIN', 'CLOCK_SCALE'];

/** Reads `NAME=VALUE` pairs by the server's own rules. @throws Error with a sentence for the user */
export function parseSettings(pairs: readonly string[]): Record<string, string> {
  const set = Object.fromEntries(pairs.map(parsePair));
  try {
    readConfig(set);
  } catch (error) {
    // The server's own message about the invalid value.
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

/** The settings of a server with this environment. @throws ConfigError if the server would not start with it */
export function settingsOf(environment: Environment): Settings {
  // The addresses of the engines change no setting.
  return readConfig({ ...environment, MONGO_URL: '', REDIS_URL: '' }).settings;
}
