/**
 * Gets a storage of the browser. The getter throws if the reader blocks the storage, and it is null in some WebViews of
 * Android.
 */
type Place = () => Storage | null;

/** Reads what the browser keeps under a key; null if it keeps nothing. */
export function readKept(place: Place, key: string): string | null {
  try {
    return place()?.getItem(key) ?? null;
  } catch {
    // The storage is blocked. The page works without what it kept.
    return null;
  }
}

/** Keeps a text in the browser if its storage takes it. Null removes the text. */
export function keep(place: Place, key: string, text: string | null): void {
  try {
    if (text === null) place()?.removeItem(key);
    else place()?.setItem(key, text);
  } catch {
    // The storage is blocked or full. The page works on, and a reload forgets the text.
  }
}
