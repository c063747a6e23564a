// Runs in the head of both pages, and is no file of its own that could be missing too.
{
  /** Waits before each reload of a page that has not started, ms. */
  const WAITS_MS = [1000, 2000, 4000, 8000, 16_000];
  /** A reload counts for this long, ms. */
  const COUNTS_MS = 600_000;
  /** The reader is told after this time, ms, even if the browser still waits for a file. */
  const SLOW_MS = 15_000;
  /** The longest wait for the server, ms. */
  const PATIENCE_MS = 10_000;

  let isTrying = false;

  /** Shows the text of the page. A page that has started has replaced it. */
  const tell = () => document.documentElement.setAttribute('data-not-loaded', '');

  const hasStarted = () => document.readyState !== 'loading' && document.querySelector('#not-loaded') === null;

  /** A page may start before it hears that one of its style sheets is missing. */
  const isStyleOfStart = ({ rel }) => rel === 'stylesheet' && document.readyState !== 'complete';

  /** A reload without a connection would replace the page with one of the browser. */
  const isServed = () =>
    fetch(location.href, { method: 'HEAD', cache: 'no-store', signal: AbortSignal.timeout(PATIENCE_MS) }).then(
      ({ ok }) => ok,
      () => false,
    );

  /** Reloads the page up to `most` times in ten minutes. The history keeps the count also without a storage. */
  const loadAgain = async (most) => {
    if (isTrying) return;
    isTrying = true;
    const reloads = (history.state?.reloads ?? []).filter((at) => Date.now() - at < COUNTS_MS);
    for (const waitMs of WAITS_MS.slice(reloads.length, most)) {
      await new Promise((resolve) => setTimeout(resolve, waitMs));
      if (!(await isServed())) continue;
      history.replaceState({ ...history.state, reloads: [...reloads, Date.now()] }, '');
      location.reload();
      return;
    }
    isTrying = false;
  };

  // The page of a busy server counts its loads in the address (V140). This page has come, so the next one counts from the start.
  const address = new URL(location.href);
  if (address.searchParams.has('again')) {
    address.searchParams.delete('again');
    history.replaceState(history.state, '', address);
  }

  // Errors of elements do not bubble. They and exceptions of scripts are caught on the way down.
  addEventListener(
    'error',
    ({ target }) => {
      if (hasStarted() && !isStyleOfStart(target)) return;
      tell();
      void loadAgain(WAITS_MS.length);
    },
    true,
  );
  // A part that a page loads later is missing. The page works without it, so that one reload is enough.
  addEventListener('vite:preloadError', () => void loadAgain(1));
  setTimeout(tell, SLOW_MS);
}
