import type { Migration, Tools, Walk } from './migration.ts';

type Rule = {
  readonly name: string;
  readonly field: string;
  /** The field's value in a row that lacks it: a constant, or an expression over the row. */
  readonly value: (tools: Tools) => unknown;
};

// One row per line: this is a table.
// oxfmt-ignore
const RULES: readonly Rule[] = [
  // How often the password was reset.
  { name: 'staff',    field: 'resets', value: () => 0 },
  // When the session ends at the latest, as if it began now.
  { name: 'sessions', field: 'mostOn', value: ({ clock, settings }) => new Date(clock.real.now() + settings.auth.refreshMostS * 1000) },
  // Version 0 counted a try at its start, so the number of claims was never higher.
  { name: 'attempts', field: 'claims', value: () => '$number' },
];

/** Reads assume a value if one of these fields is missing. The migration stores that value. */
export const completeFields: Migration = {
  name: 'complete_fields',
  replaces: [],
  walks: RULES.map(walkOf),
  drops: [
    { name: 'alarms', index: 'since_1' },
    { name: 'attempts', index: 'dueAt_1' },
    { name: 'attempts', index: 'registrationId_1_state_1' },
    { name: 'attempts', index: 'attemptId_1' },
  ],
};

function walkOf({ name, field, value }: Rule): Walk {
  return {
    name,
    fields: [field],
    mend: (rows, tools) =>
      rows
        .filter((row) => row[field] === undefined)
        .map(({ _id }) => ({
          updateOne: { filter: { _id, [field]: { $exists: false } }, update: [{ $set: { [field]: value(tools) } }] },
        })),
  };
}
