/**
 * A file of tiles that this server serves. It stays open, so a file that takes its place changes nothing until a restart. A file
 * that is overwritten is no longer served.
 */
export type TileFile = {
  readonly path: string;
  /** The name in its address, made from its content. A browser may keep what it has loaded under this name for ever. */
  readonly name: string;
  readonly bytes: number;
  /** The time of its last change, in milliseconds, when its content got the name. */
  readonly changedAtMs: number;
  /** The file descriptor. */
  readonly fd: number;
};

/** The map of the pages. */
export type PageMap = {
  /** The tiles or the style that the pages draw; null if they draw a grid. */
  readonly source: { readonly tiles: string } | { readonly style: string } | null;
  /** The origin, besides our own, from which the pages load the map; null if there is none. */
  readonly origin: string | null;
  readonly file: TileFile | null;
};

/** The pages draw a grid. */
export const NO_MAP: PageMap = { source: null, origin: null, file: null };

/** The path of a file of tiles on this server. */
export function pathOf({ name }: Pick<TileFile, 'name'>): string {
  return `/map/${name}.pmtiles`;
}
