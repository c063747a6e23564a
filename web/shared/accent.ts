/** The colour of a vendor in two shades that are readable on both backgrounds. */
export type Accent = {
  readonly light: string;
  readonly dark: string;
  readonly onLight: string;
  readonly onDark: string;
};

const LIGHT_SURFACE = '#ffffff';
const DARK_SURFACE = '#191d21';
const INK = '#14181c';
const LEAST_CONTRAST = 4.5;
const OWN_COLOUR = '#0b6e4f';

/** Darkens the colour for light pages and lightens it for dark pages until the contrast is 4.5 to 1. */
export function accentOf(colour: string): Accent {
  const brand = /^#[0-9a-f]{6}$/i.test(colour) ? colour : OWN_COLOUR;
  const light = untilReadable(brand, LIGHT_SURFACE, '#000000');
  const dark = untilReadable(brand, DARK_SURFACE, '#ffffff');
  return { light, dark, onLight: inkOn(light), onDark: inkOn(dark) };
}

/** WCAG contrast of two `#rrggbb` colours, 1 to 21. */
export function contrast(a: string, b: string): number {
  const [dark = 0, bright = 0] = [luminance(a), luminance(b)].toSorted((x, y) => x - y);
  return (bright + 0.05) / (dark + 0.05);
}

function untilReadable(colour: string, surface: string, towards: string): string {
  for (let part = 0; part < 1; part += 0.05) {
    const mixed = mix(colour, towards, part);
    if (contrast(mixed, surface) >= LEAST_CONTRAST) return mixed;
  }
  return towards;
}

function inkOn(colour: string): string {
  return contrast(colour, '#ffffff') >= LEAST_CONTRAST ? '#ffffff' : INK;
}

function mix(from: string, to: string, part: number): string {
  const other = channels(to);
  const mixed = channels(from).map((value, index) => Math.round(value + ((other[index] ?? 0) - value) * part));
  return `#${mixed.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
}

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = channels(colour).map((value) => {
    const part = value / 255;
    return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function channels(colour: string): number[] {
  return [1, 3, 5].map((start) => Number.parseInt(colour.slice(start, start + 2), 16));
}
