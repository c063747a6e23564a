/** The least contrast of text that is easy to read (WCAG 2, level AA). */
export const LEAST_CONTRAST = 4.5;

/** WCAG contrast of a colour `#rrggbb` with white, 1 to 21. */
export function contrastWithWhite(colour: string): number {
  return 1.05 / (luminance(colour) + 0.05);
}

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((start) => {
    const part = Number.parseInt(colour.slice(start, start + 2), 16) / 255;
    return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
