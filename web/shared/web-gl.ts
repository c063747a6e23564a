/** Says whether this browser can draw the map; everything else of a page works without. */
export function hasWebGl(): boolean {
  return document.createElement('canvas').getContext('webgl2') !== null;
}
