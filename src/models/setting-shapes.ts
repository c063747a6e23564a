import type { Coordinates } from '../domain/geo/geo.ts';
import type { CourierId, LocationId, VendorId } from '../domain/ids.ts';
import { date, flag, id, list, map, maybe, number, oneOf, part, text } from '../engines/shapes/fields.ts';
import { shapeOfKinds } from '../engines/shapes/shape.ts';
import type { LastCheck } from '../money/ledger/check.ts';
import { place } from './common-fields.ts';

/** The time that all processes share. Times are machine time in epoch ms. */
export type ClockRow = {
  readonly _id: 'clock';
  /** When service time and machine time were equal. */
  readonly originMs: number;
  readonly scale: number;
  /** The latest time that any process had reached at its last look. */
  readonly markMs: number;
  /** The time of the last look, by the wall clock of the database. */
  readonly seenOn: Date;
};

/** The content of `.data/demo.json`: enough to try everything on this server. Keys are in wire form. */
export type DemoFacts = {
  readonly center: Coordinates;
  readonly vendor: { readonly id: VendorId; readonly api_key: string; readonly location_id: LocationId };
  readonly couriers: readonly { readonly id: CourierId; readonly phone: string }[];
  readonly staff: { readonly email: string; readonly password: string };
};

/** `isUnfinished` is true until everything that the facts name has been created. */
export type Demo = { readonly facts: DemoFacts; readonly isUnfinished: boolean };

/** The progress of one migration. */
export type FillRow = {
  /** The current pass, counted from 1. The first pass is never the last. */
  readonly pass: number;
  /** The walk of this pass, counted from 0, and the last row that it has read; null before the first. */
  readonly walk: number;
  readonly after: string | null;
  /** Rows changed by this pass, and by all passes together. */
  readonly found: number;
  readonly rows: number;
  /** When the next pass may start, machine time; null during a pass. */
  readonly nextOn: Date | null;
  /** When the migration was completed; null while it is open. */
  readonly doneOn: Date | null;
};

/** The version of all data in this database: one row. */
export type SchemaRow = {
  readonly _id: 'schema';
  readonly version: number;
  /** Rises with each process that starts to migrate the data. A process with an older number cannot write any more. */
  readonly fence: number;
  /** The progress of each migration, by its name. */
  readonly fills: Readonly<Record<string, FillRow>>;
};

/** A rebuild of the roll-ups: the number of the new rows, and the last delivery that they count. */
export type Building = { readonly generation: number; readonly after: string };

/** The state of the roll-ups. Every transaction that writes them changes it, so that they come one after the other. */
export type AnalyticsRow = {
  readonly _id: 'analytics';
  /** The number of the rows that are read. */
  readonly generation: number;
  readonly building: Building | null;
  readonly folds: number;
};

/** The last check of the ledger by a server. */
export type LedgerCheckRow = LastCheck & { readonly _id: 'ledger_check' };

export type SettingRow =
  | ClockRow
  | AnalyticsRow
  | LedgerCheckRow
  | (Demo & { readonly _id: 'demo' })
  | SchemaRow
  | { readonly _id: 'secrets'; readonly hashes: Readonly<Record<string, string>> };

/** Facts that all processes must agree on. */
export const SETTINGS = shapeOfKinds<SettingRow>({
  name: 'settings',
  holds: 'A fact that all processes must agree on. Each row has its own form.',
  kept: 'Always.',
  shardKey: null,
  indexes: [],
  before: { lacks: ['markMs', 'seenOn'] },
  kinds: {
    clock: {
      _id: oneOf(['clock'], 'The time that all processes share.'),
      originMs: number('When service time and machine time were equal, epoch ms.'),
      scale: number('How much faster service time runs.'),
      markMs: number('The latest time that any process had reached, machine time in epoch ms.'),
      seenOn: date('The time of the last look, by the database’s clock.'),
    },
    demo: {
      _id: oneOf(['demo'], 'The demo of this database.'),
      facts: part<DemoFacts>(
        {
          center: place('The centre of the demo’s city.'),
          vendor: part<DemoFacts['vendor']>(
            {
              id: id('ven', 'The vendor’s id.'),
              api_key: text('The vendor’s key, of test mode.'),
              location_id: id('loc', 'The vendor’s location.'),
            },
            'The vendor of the demo.',
          ),
          couriers: list(
            part<DemoFacts['couriers'][number]>(
              { id: id('cou', 'The courier’s id.'), phone: text('The courier’s phone number.') },
              'One courier.',
            ),
            'The couriers of the demo.',
          ),
          staff: part<DemoFacts['staff']>(
            { email: text('The e-mail address.'), password: text('The password, which the demo shows.') },
            'The staff account of the demo.',
          ),
        },
        'The content of `.data/demo.json`.',
      ),
      isUnfinished: flag('True until everything that the facts name has been created.'),
    },
    analytics: {
      _id: oneOf(['analytics'], 'The state of the roll-ups.'),
      generation: number('The generation of the rows that are read.'),
      building: maybe(
        part<Building>(
          {
            generation: number('The generation of the new rows.'),
            after: text('The last delivery that the new rows count; empty before the first.'),
          },
          'The unfinished rebuild; null if there is none.',
        ),
      ),
      folds: number('Rises with each transaction that writes roll-ups, so that no two write at a time.'),
    },
    ledger_check: {
      _id: oneOf(['ledger_check'], 'The last check of the ledger by a server.'),
      checkedAt: number('When it began, service time in ms.'),
      entries: number('How many entries the ledger had.'),
      faultCount: number('How many faults it found.'),
    },
    secrets: {
      _id: oneOf(['secrets'], 'The secrets of the latest server.'),
      hashes: map(text('The hash of one secret.'), 'A hash of each secret by the name of its variable.'),
    },
    schema: {
      _id: oneOf(['schema'], 'The version of all data in this database.'),
      version: number('The number of migrations that the database has begun.'),
      fence: number('Rises with each process that starts to migrate the data.'),
      fills: map(
        part<FillRow>(
          {
            pass: number('The current pass over the rows, counted from 1.'),
            walk: number('The current walk of this pass, counted from 0.'),
            after: maybe(text('The last row that the walk has read.')),
            found: number('How many rows this pass has changed.'),
            rows: number('How many rows all passes have changed.'),
            nextOn: maybe(date('When the next pass may start; null during a pass.')),
            doneOn: maybe(date('When the migration was completed; null while it is open.')),
          },
          'The progress of one migration.',
        ),
        'The progress of each migration by its name.',
      ),
    },
  },
});
