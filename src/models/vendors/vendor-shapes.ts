import type { Vendor, VendorLocation } from '../../domain/vendor.ts';
import { flag, id, number, text } from '../../engines/shapes/fields.ts';
import { shape } from '../../engines/shapes/shape.ts';
import { address, contact, place } from '../common-fields.ts';

export type VendorRow = Vendor & { readonly _id: string };
export type LocationRow = VendorLocation & { readonly _id: string };

export const VENDORS = shape<VendorRow>({
  name: 'vendors',
  holds: 'A business that orders deliveries.',
  kept: 'Always.',
  shardKey: null,
  indexes: [],
  fields: {
    _id: text('The vendor’s id.'),
    id: id('ven', 'The vendor’s id.'),
    name: text('The name that recipients see.'),
    currency: text('ISO 4217 code of the currency of all prices.'),
    accent: text('Colour of the vendor’s tracking pages.'),
    searchLimitMs: number('How long the server searches for a courier, service time in ms.'),
    maxDistanceM: number('Longest route of a delivery, metres.'),
    createdAt: number('When the vendor was added, service time in ms.'),
  },
});

export const LOCATIONS = shape<LocationRow>({
  name: 'locations',
  holds: 'A storefront or a warehouse of a vendor.',
  kept: 'Always.',
  shardKey: { vendorId: 1 },
  indexes: [{ key: { vendorId: 1, _id: 1 } }],
  fields: {
    _id: text('The location’s id.'),
    id: id('loc', 'The location’s id.'),
    vendorId: id('ven', 'The vendor whose location it is.'),
    name: text('The name of the location.'),
    place: place('Where couriers collect the goods.'),
    address: address('The address of the location.'),
    contact: contact('The person at the location.'),
    isReady: flag('True if the location takes part in dispatch.'),
  },
});
