import path from 'node:path';
import type { Config } from '../config.ts';
import { createStreets, type Streets } from '../embedded/streets/streets.ts';
import { LONGEST_WAY_M } from '../settings.ts';
import type { Voice } from './voice.ts';

/** The server's own Valhalla; null if the settings name no extract, or another routing server. */
export function findStreets(
  { around, settings }: Config,
  env: Readonly<Record<string, string | undefined>>,
  voice: Pick<Voice, 'say' | 'warn'>,
): Streets | null {
  if (around.STREETS_FILE === undefined || settings.travel.routerUrl !== '') return null;
  const { STREETS_FILE: file, DATA_DIR: dataDir, VALHALLA_BIN: valhallaBin } = around;
  const places = { file: path.resolve(file), dataDir: path.resolve(dataDir) };
  const limits = { longestM: LONGEST_WAY_M };
  return createStreets({ ...places, ...limits, env, say: voice.say, warn: voice.warn, valhallaBin });
}
