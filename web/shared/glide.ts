export type Place = { readonly lat: number; readonly lng: number };

/** The place of a marker and its direction in compass degrees. */
export type Pose = Place & { readonly heading: number };

/** A position of a courier, in service time. */
export type Fix = Pose & { readonly at: number };

const LONGEST_GLIDE_MS = 5000;
const SHORTEST_GLIDE_MS = 100;

/** The pose between two poses. The marker turns in the shorter direction. */
export function poseBetween(from: Pose, to: Pose, part: number): Pose {
  const done = Math.min(1, Math.max(0, part));
  const turn = ((to.heading - from.heading + 540) % 360) - 180;
  return {
    ...placeBetween(from, to, done),
    heading: (from.heading + turn * done + 360) % 360,
  };
}

/** The place at a part of the straight way between two places of one city, 0 to 1. */
export function placeBetween(from: Place, to: Place, part: number): Place {
  return { lat: from.lat + (to.lat - from.lat) * part, lng: from.lng + (to.lng - from.lng) * part };
}

/** The duration of a glide to a new place: the time between the last two fixes, within limits; machine time in ms. */
export function glideMs(sinceLastFixMs: number): number {
  return Math.min(LONGEST_GLIDE_MS, Math.max(SHORTEST_GLIDE_MS, sinceLastFixMs));
}

/** Metres between two places of one city. */
export function metresBetween(a: Place, b: Place): number {
  const perDegree = 111_195;
  const x = (b.lng - a.lng) * Math.cos((((a.lat + b.lat) / 2) * Math.PI) / 180);
  return Math.hypot(x, b.lat - a.lat) * perDegree;
}
