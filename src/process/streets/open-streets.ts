import path from 'node:path';
import type { Config } from '../../config.ts';
import { createStreetEngine, type StreetEngine } from '../../embedded/streets/street-engine.ts';
import { LONGEST_WAY_M } from '../../settings.ts';
import type { Voice } from '../voice.ts';

/** The server's own Valhalla for this extract; null if there is none, or if the settings name another routing server. */
export function openStreets(
  file: string | null,
  { around, settings }: Config,
  env: Readonly<Record<string, string | undefined>>,
  voice: Pick<Voice, 'say' | 'warn'>,
): StreetEngine | null {
  if (file === null) return null;
  if (settings.travel.routerUrl !== '') {
    voice.say('Streets: STREETS_FILE is not used, because TRAVEL_ROUTER_URL names a routing server.');
    return null;
  }
  const { DATA_DIR: dataDir, VALHALLA_BIN: valhallaBin } = around;
  const places = { file: path.resolve(file), dataDir: path.resolve(dataDir) };
  const limits = { longestM: LONGEST_WAY_M };
  return createStreetEngine({ ...places, ...limits, env, say: voice.say, warn: voice.warn, valhallaBin });
}
