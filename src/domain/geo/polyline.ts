import type { Coordinates } from './geo.ts';

/** Encoded lines have six decimals, as routing servers write them. */
const PRECISION = 1e6;
/** Each character holds five bits, above an offset that makes it printable. */
const [OFFSET, BITS, MORE] = [63, 5, 0x20];

/**
 * Decodes a line: the differences between its points, as printable characters.
 * See https://developers.google.com/maps/documentation/utilities/polylinealgorithm, with six decimals in place of five.
 * @throws RangeError if the text is not a line
 */
export function decodePolyline(text: string): Coordinates[] {
  const points: Coordinates[] = [];
  let [at, lat, lng] = [0, 0, 0];
  const next = (): number => {
    let [value, factor, byte] = [0, 1, MORE];
    for (; byte >= MORE; factor *= MORE) {
      byte = text.charCodeAt(at) - OFFSET;
      if (!(byte >= 0 && byte < 2 * MORE)) throw new RangeError('the text is not an encoded line');
      value += (byte % MORE) * factor;
      at += 1;
    }
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  };
  while (at < text.length) {
    lat += next();
    lng += next();
    points.push({ lat: lat / PRECISION, lng: lng / PRECISION });
  }
  return points;
}

/** Encodes a line, so that `decodePolyline` gives its points to six decimals. */
export function encodePolyline(points: readonly Coordinates[]): string {
  let [lat, lng] = [0, 0];
  return points
    .map((point) => {
      const [toLat, toLng] = [Math.round(point.lat * PRECISION), Math.round(point.lng * PRECISION)];
      const text = encodeNumber(toLat - lat) + encodeNumber(toLng - lng);
      [lat, lng] = [toLat, toLng];
      return text;
    })
    .join('');
}

function encodeNumber(value: number): string {
  let rest = value < 0 ? -2 * value - 1 : 2 * value;
  let text = '';
  for (; rest >= MORE; rest = Math.floor(rest / 2 ** BITS)) {
    text += String.fromCharCode((rest % MORE) + MORE + OFFSET);
  }
  return text + String.fromCharCode(rest + OFFSET);
}
