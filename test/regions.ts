/** Regions of the size that servers have by default. */
import { regionOf as regionAt, regionOfCell as regionOfCellAt, type Coordinates } from '../src/domain/geo/geo.ts';
import { defaultSettings } from '../src/settings.ts';

const { regionResolution } = defaultSettings().dispatch;

/** The region of a place. */
export function regionOf(place: Coordinates): string {
  return regionAt(place, regionResolution);
}

/** The region that a view cell lies in. */
export function regionOfCell(viewCell: string): string {
  return regionOfCellAt(viewCell, regionResolution);
}
