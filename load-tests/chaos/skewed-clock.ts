// Loaded into each server before its own code (`node --import`): moves the machine's clock as this process sees it by the
// number of ms that CHAOS_SKEWS_MS names for its place in the fleet. The product knows nothing of it.
const skews = (process.env['CHAOS_SKEWS_MS'] ?? '').split(',').map(Number);
const place = Number(/server-(\d+)$/.exec(process.env['DATA_DIR'] ?? '')?.[1] ?? 1) - 1;
const skewMs = skews[place % skews.length] ?? 0;
const machineNow = Date.now.bind(Date);

Date.now = () => machineNow() + skewMs;
