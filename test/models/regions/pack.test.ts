import fc from 'fast-check';
import { expect, test } from 'vitest';
import { pack, unpack } from '../../../src/models/regions/pack.ts';

const leaf = fc.oneof(
  fc.string(),
  fc.boolean(),
  fc.constant(null),
  fc.double(),
  fc.integer(),
  fc.array(fc.double()).map((list) => Float64Array.from(list)),
  fc.array(fc.integer()).map((list) => Int32Array.from(list)),
  fc.array(fc.nat(65_535)).map((list) => Uint16Array.from(list)),
  fc.array(fc.nat(255)).map((list) => Uint8Array.from(list)),
);
const name = fc.string({ minLength: 1 }).filter((text) => !text.startsWith('$') && text !== '__proto__');
const { tree } = fc.letrec((tie) => ({
  tree: fc.oneof(
    { depthSize: 'small' },
    leaf,
    fc.array(tie('tree')),
    fc.dictionary(name, tie('tree'), { noNullPrototype: true }),
  ),
}));
const data = fc.dictionary(name, tree, { noNullPrototype: true });

/** The same data with all names in reverse order. */
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([key, item]) => [key, reversed(item)]),
  );
}

test('[O41] packed data are read back unchanged, and equal data are equal bytes', () => {
  fc.assert(
    fc.property(data, (value) => {
      const bytes = pack(value);
      expect(unpack(bytes)).toEqual(value);
      expect(pack(reversed(value) as object).equals(bytes)).toBe(true);
      // This also works inside a larger buffer, where nothing is aligned.
      const shifted = Buffer.concat([Buffer.from([1]), bytes]).subarray(1);
      expect(unpack(shifted)).toEqual(value);
    }),
    { numRuns: 100 },
  );
});

test('[O41] data that differ by one bit are different bytes', () => {
  const base = { a: Float64Array.of(1, -0, NaN, Infinity), b: [0, 'x'], c: Int32Array.of(1) };
  const others = [
    { ...base, a: Float64Array.of(1, 0, NaN, Infinity) },
    { ...base, a: Float64Array.of(1 + Number.EPSILON, -0, NaN, Infinity) },
    { ...base, b: [-0, 'x'] },
    { ...base, b: [0, 'x', null] },
    { ...base, c: Uint16Array.of(1, 0) },
  ];
  for (const other of others) expect(pack(other).equals(pack(base))).toBe(false);
});

test('[O41] values other than plain data are not packed, and other bytes are not read', () => {
  for (const value of [{ a: new Date(0) }, { a: () => 1 }, { a: new Map() }, { $array: [1] }, { a: 1n }]) {
    expect(() => pack(value)).toThrow();
  }
  const bytes = pack({ a: Float64Array.of(1, 2, 3) });
  expect(() => unpack(bytes.subarray(0, -8))).toThrow();
  expect(() => unpack(Buffer.from('no run'))).toThrow();
});
