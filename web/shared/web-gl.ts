/** Says whether this browser can show the map. All other parts of a page work without it. */
export function hasWebGl(): boolean {
  return document.createElement('canvas').getContext('webgl2') !== null;
}
