import { endOfUnused, type FileEnd } from '../domain/files/file.ts';
import type { FileId, VendorId } from '../domain/ids.ts';
import type { Vendor } from '../domain/vendors/vendor.ts';
import type { Context } from '../ports/context.ts';
import { editVendor, type Needs } from './edit.ts';

type LogoNeeds = Needs & Pick<Context, 'settings'>;

/**
 * Makes a stored file the logo of a vendor, in place of the one before; null removes it. The edit, its entry in the audit
 * log and the ends of both files are one transaction. After a crash before it, nothing uses the new file, and it is
 * removed after `FILES_ORPHAN_MS`.
 * @param ifVersion the version of the vendor that the caller has seen, or null
 */
export function setLogo(ctx: LogoNeeds, id: VendorId, ifVersion: number | null, logo: FileId | null): Promise<Vendor> {
  return editVendor(
    ctx,
    id,
    ifVersion,
    (before) => (before.logo === logo ? before : { ...before, logo }),
    (before, after) => ['vendor.update', { logo: before.logo }, { logo: after.logo }],
    (before, after) => [...endOf(before.logo, soon(ctx)), ...endOf(after.logo, null)],
  );
}

function endOf(id: FileId | null, endsAt: number | null): FileEnd[] {
  return id === null ? [] : [{ id, endsAt }];
}

function soon({ clock, settings }: LogoNeeds): number {
  return endOfUnused(clock.now(), clock.scale, settings.files.linkRealMs);
}
