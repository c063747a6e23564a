import type { DeliveryId, VendorId } from '../../domain/ids.ts';
import { ENDING } from '../../engines/retention.ts';
import { date, flag, id, list, text } from '../../engines/shapes/fields.ts';
import { shape } from '../../engines/shapes/shape.ts';
import { OWNED } from '../common-fields.ts';

export type PolylineRow = {
  readonly _id: DeliveryId;
  readonly vendorId: VendorId;
  readonly liveMode: boolean;
  readonly polylines: readonly string[];
  readonly endsOn: Date;
};

export const POLYLINES = shape<PolylineRow>({
  name: 'polylines',
  holds: 'The way of one delivery along streets, as pages draw it. A delivery with an estimate has none.',
  kept: '`RETENTION_POLYLINES_MS` after the create.',
  shardKey: { _id: 'hashed' },
  tenant: OWNED,
  indexes: [ENDING],
  fields: {
    _id: id('del', 'The delivery.'),
    vendorId: id('ven', 'The vendor of the delivery.'),
    liveMode: flag('False for a delivery of test mode.'),
    polylines: list(
      text('One encoded line.'),
      'The line of each leg, in the order of visits; 2,048 characters at most.',
    ),
    endsOn: date('When the database may delete the lines.'),
  },
});
