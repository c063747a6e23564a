/** From one moment up to another. */
export type Span = { readonly from: number; readonly to: number };

/** How much of a window the spans cover together. Overlaps count once. */
export function coveredMs(spans: readonly Span[], from: number, to: number): number {
  let covered = 0;
  let through = from;
  for (const span of spans.toSorted((a, b) => a.from - b.from)) {
    const end = Math.min(to, span.to);
    covered += Math.max(0, end - Math.max(through, span.from));
    through = Math.max(through, end);
  }
  return covered;
}
