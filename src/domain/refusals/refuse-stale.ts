import { Refusal } from './refusals.ts';

/**
 * Refuses `stale_version` for a caller who has seen another version of the object.
 * @param ifVersion the version that `If-Match` names; null if the caller names none
 */
export function refuseStale({ version }: { readonly version: number }, ifVersion: number | null): void {
  if (ifVersion === null || ifVersion === version) return;
  const detail = `\`If-Match\` names version ${ifVersion}, and the object is at version ${version}. Read it again.`;
  throw new Refusal('stale_version', { detail, metadata: { version } });
}
