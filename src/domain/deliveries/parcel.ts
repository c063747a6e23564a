/** How soon the vendor wants a delivery. */
export type Priority = 'express' | 'scheduled';

export const ITEM_SIZES = ['small', 'medium', 'large', 'xlarge'] as const;

/** Items that one drop-off may have. */
export const MOST_ITEMS = 100;

/** One kind of goods for a drop-off. `price` is the price of one piece in minor units, `weightG` its weight in grams. */
export type Item = {
  readonly name: string;
  readonly quantity: number;
  readonly price?: number;
  readonly weightG?: number;
  readonly size?: (typeof ITEM_SIZES)[number];
  readonly barcode?: string;
};

/** The goods of a delivery; weight in kg. */
export type Parcel = {
  readonly weight?: number;
  readonly category?: 'Food' | 'Package';
  readonly fragility?: 'none' | 'low' | 'high';
};
