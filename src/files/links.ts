import { isId, type FileId } from '../domain/ids.ts';
import { Refusal } from '../domain/refusals/refusals.ts';
import { isoTime } from '../domain/time.ts';
import type { Context } from '../ports/context.ts';

type Needs = Pick<Context, 'clock' | 'fileSigner' | 'settings'>;

/** A link with which anybody can read a file until it expires. */
export type FileLink = { readonly url: string; readonly expires_at: string };

/** Makes a link to a file. It expires by machine time after `FILES_LINK_REAL_MS`. */
export function linkTo({ clock, fileSigner, settings }: Needs, id: FileId): FileLink {
  const expiresAt = clock.real.now() + settings.files.linkRealMs;
  const claim = `${id}.${expiresAt.toString(36)}`;
  const url = `${settings.http.baseUrl}/files/${claim}.${fileSigner.sign(claim)}`;
  return { url, expires_at: isoTime(expiresAt) };
}

/** The file of a token. Refuses `file_not_found` for a token that this server did not make, and `file_link_expired`. */
export function openToken({ clock, fileSigner }: Pick<Needs, 'clock' | 'fileSigner'>, token: string): FileId {
  const [id = '', time = '', mac = '', ...more] = token.split('.');
  if (more.length > 0 || !isId('fil', id) || !fileSigner.verify(`${id}.${time}`, mac)) {
    throw new Refusal('file_not_found');
  }
  if (Number.parseInt(time, 36) <= clock.real.now()) throw new Refusal('file_link_expired');
  return id;
}
