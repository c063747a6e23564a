import { Schema } from 'mongoose';
import { partOf, pathsOf, type Path, type StoredSchema } from './fields.ts';

/** One path as the reference shows it. */
export type DescribedPath = {
  readonly path: string;
  readonly type: string;
  /** False for a path that may be left out. */
  readonly isAlwaysThere: boolean;
  readonly note: string;
};

/** Every path of a schema, with those of its parts after it. */
export function describe(schema: StoredSchema): DescribedPath[] {
  return Object.entries(pathsOf(schema)).flatMap(([name, path]) => describePath(name, path));
}

function describePath(name: string, path: Path): DescribedPath[] {
  const type = path.required || path.allowNull === false ? typeOf(path) : `${typeOf(path)}, or null`;
  const own = { path: name, type, isAlwaysThere: path.allowNull !== false, note: path.note };
  return [own, ...innerPaths(name, path)];
}

function innerPaths(name: string, path: Path): DescribedPath[] {
  const item = itemOf(path);
  if (item !== null) return innerPaths(path.type === Map ? `${name}.*` : `${name}[]`, item);
  if (path.type === Schema.Types.Union) return variantsOf(path).flatMap((variant) => innerPaths(name, variant));
  const part = partOf(path);
  return part === null ? [] : describe(part).map((inner) => ({ ...inner, path: `${name}.${inner.path}` }));
}

const NAMES: ReadonlyMap<unknown, string> = new Map<unknown, string>([
  [String, 'text'],
  [Number, 'number'],
  [Schema.Types.BigInt, 'whole number of 64 bits'],
  [Boolean, 'yes or no'],
  [Date, 'date'],
  [Buffer, 'bytes'],
  [Schema.Types.ObjectId, 'id of the driver'],
]);

function typeOf(path: Path): string {
  if (path.enum !== undefined) return path.enum.map((value) => `\`${value}\``).join(', ');
  const item = itemOf(path);
  if (item !== null) return path.type === Map ? `${typeOf(item)} by name` : `list of ${typeOf(item)}`;
  if (path.type === Schema.Types.Union) return variantsOf(path).map(typeOf).join(' or ');
  return NAMES.get(path.type) ?? 'object';
}

/** The items of a list or a map. Null for every other path, and for an object that nothing looks into. */
function itemOf({ type, of }: Path): Path | null {
  if (Array.isArray(type)) return type[0] as Path;
  return type === Map && of !== Schema.Types.Mixed ? (of as Path) : null;
}

function variantsOf({ of }: Path): readonly Path[] {
  return of as readonly Path[];
}
