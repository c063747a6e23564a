import { expect, test } from 'vitest';
import {
  date,
  either,
  flag,
  id,
  list,
  maybe,
  number,
  omissible,
  oneOf,
  part,
  text,
  type Field,
  type Fields,
} from '../../src/engines/shapes/fields.ts';
import { kindOf, shapeOfKinds } from '../../src/engines/shapes/shape.ts';
import { validatorOf, versionOf } from '../../src/engines/shapes/validator.ts';
import { recordsOf } from '../../src/engines/shapes/records.ts';

type Row = {
  readonly _id: string;
  readonly vendorId: `ven_${string}`;
  readonly state: 'open' | 'closed';
  readonly at: number | null;
  readonly note?: string;
  readonly place: { readonly lat: number };
  readonly tags: readonly string[];
};

const FIELDS: Fields<Row> = {
  _id: text('Id.'),
  vendorId: id('ven', 'Vendor.'),
  state: oneOf(['open', 'closed'], 'State.'),
  at: maybe(number('Time.')),
  note: omissible(text('Note.')),
  place: part<Row['place']>({ lat: number('Latitude.') }, 'Place.'),
  tags: list(text('Tag.'), 'Tags.'),
};

test('[S89] a schema that differs from the type of its rows does not compile', () => {
  const { note: _note, ...fewer } = FIELDS;
  const wrong = [
    // @ts-expect-error: a path is missing
    fewer satisfies Fields<Row>,
    // @ts-expect-error: a path of no row
    { ...FIELDS, colour: text('Colour.') } satisfies Fields<Row>,
    // @ts-expect-error: another type
    { ...FIELDS, at: maybe(text('Time.')) } satisfies Fields<Row>,
    // @ts-expect-error: never null, although the row may be
    { ...FIELDS, at: number('Time.') } satisfies Fields<Row>,
    // @ts-expect-error: null, although the row never is
    { ...FIELDS, tags: maybe(list(text('Tag.'), 'Tags.')) } satisfies Fields<Row>,
    // @ts-expect-error: always there, although the row may lack it
    { ...FIELDS, note: text('Note.') } satisfies Fields<Row>,
    // @ts-expect-error: may be left out, although the row always has it
    { ...FIELDS, place: omissible(FIELDS.place) } satisfies Fields<Row>,
    // @ts-expect-error: a value of the list is missing
    { ...FIELDS, state: oneOf(['open'], 'State.') } satisfies Fields<Row>,
    // @ts-expect-error: a value that the list does not have
    { ...FIELDS, state: oneOf(['open', 'closed', 'lost'], 'State.') } satisfies Fields<Row>,
    // @ts-expect-error: an id of another kind
    { ...FIELDS, vendorId: id('cou', 'Vendor.') } satisfies Fields<Row>,
    // @ts-expect-error: a path is missing in a part
    { ...FIELDS, place: part<Row['place']>({}, 'Place.') } satisfies Fields<Row>,
  ];
  expect(wrong.length).toBeGreaterThan(10);
  expect(FIELDS satisfies Fields<Row>).toBe(FIELDS);
});

type Kinds = { readonly _id: 'a'; readonly one: number } | { readonly _id: 'b'; readonly two: Date };

const KINDS = shapeOfKinds<Kinds>({
  name: 'kinds',
  holds: 'Two kinds.',
  kept: 'Always.',
  shardKey: null,
  indexes: [],
  kinds: {
    a: { _id: oneOf(['a'], 'The first.'), one: number('One.') },
    b: { _id: oneOf(['b'], 'The second.'), two: date('Two.') },
  },
});

test('[S80] documents of several kinds each have the shape of their kind', () => {
  expect(validatorOf(KINDS, 3)).toMatchObject({ $jsonSchema: { anyOf: [{ required: ['_id', 'one'] }, {}] } });
  const only = kindOf(KINDS, 'b');
  expect(validatorOf(only, 3)).toEqual({
    $jsonSchema: {
      title: 'shape version 3',
      bsonType: 'object',
      required: ['_id', 'two'],
      properties: { _id: { bsonType: 'string', enum: ['b'] }, two: { bsonType: 'date' } },
      additionalProperties: false,
    },
  });
  expect(versionOf(validatorOf(only, 3))).toBe(3);
  expect([undefined, {}, { $jsonSchema: {} }].map(versionOf)).toEqual([0, 0, 0]);
  expect(() => recordsOf({} as never, KINDS)).toThrow(/several kinds/);
});

test('[S80] a part of a union has no path that may be null, since Mongoose would forget it', () => {
  const nullable: Field<{ readonly a: string | null }> = part<{ readonly a: string | null }>(
    { a: maybe(text('A.')) },
    'P.',
  );
  expect(() => either([flag('Yes.'), nullable], 'Either.')).toThrow(/no null/);
});
