/** How soon the vendor wants a delivery. */
export type Priority = 'express' | 'scheduled';

/** The goods of a delivery; weight in kg. */
export type Parcel = {
  readonly weight?: number;
  readonly category?: 'Food' | 'Package';
  readonly fragility?: 'none' | 'low' | 'high';
};
