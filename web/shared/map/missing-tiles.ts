import type { IControl, Map as MapView } from 'maplibre-gl';

/** The usual reason is that the server has got another map since the page was opened. */
const ADVICE = 'Parts of the map are missing. Reload the page to see them.';

/**
 * Tells the reader once if tiles cannot be loaded, and runs `onMissing` then. Every error of the map also gets to the console of
 * the browser.
 */
export function watchTiles(view: MapView, onMissing: () => void): void {
  let isTold = false;
  view.on('error', (event) => {
    reportError(event.error);
    // Other errors, such as one of a style, leave the tiles as they are.
    if (isTold || !('tile' in event)) return;
    isTold = true;
    view.addControl(createNotice(), 'bottom-left');
    onMissing();
  });
}

function createNotice(): IControl {
  const notice = document.createElement('p');
  notice.className = 'maplibregl-ctrl map-advice';
  notice.setAttribute('role', 'status');
  notice.textContent = ADVICE;
  return { onAdd: () => notice, onRemove: () => notice.remove() };
}
