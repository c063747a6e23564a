import { useComputed, useSignal, useSignalEffect, type ReadonlySignal, type Signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { formatCount } from '../shared/format.ts';
import { Icon } from '../shared/icons.tsx';
import { NoMap } from '../shared/no-map.tsx';
import { useMap } from '../shared/use-map.ts';
import { chosen, chosenLegs, isAssigning, look, openDeliveries, pickedCourier } from './board.ts';
import { alarmed } from './known-alarms.ts';
import { deliveries } from './known-deliveries.ts';
import { CourierCard } from './courier-card.tsx';
import { drawEveryMs, type CourierState } from './fleet.ts';
import type { FleetMap } from './fleet-map.ts';
import { connection, fleet, fleetCounts, now, serviceNow, watchCells } from './live.ts';
import { COURIER_SHAPES } from './shapes.ts';
import { cellsToWatch, type Bounds } from './watched-cells.ts';
import { COURIER_WORDS, WORDS } from './words.ts';

const WATCH_AFTER_MS = 300;

/** The map with couriers and deliveries. Positions go from the fleet directly to the source of the map. */
export function MapPane() {
  const container = useRef<HTMLDivElement>(null);
  const bounds = useSignal<Bounds | null>(null);
  /** How often the map must be drawn from the start, because it lost what was on it. */
  const restored = useSignal(0);
  const isPartial = useSignal(false);
  const hasCells = useSignal(false);
  const { map, lack, loadAgain } = useMap(container, connection, (place) => open(place, bounds, hasCells, restored));
  useWatching(bounds, isPartial);
  useDrawing(map, restored);
  useShowing(map);
  return (
    <div class="map-frame">
      {/* A map needs its size when it is opened. */}
      <div class="map" ref={container} hidden={lack.value === 'no-webgl' || lack.value === 'not-loaded'} />
      <NoMap lack={lack} loadAgain={loadAgain} place={container} words={WORDS.map.lack} />
      {isPartial.value && <p class="map-note">{WORDS.map.partial}</p>}
      {isAssigning.value && lack.value === null && <p class="map-note map-note-pick">{WORDS.map.pick}</p>}
      {map.value !== null && (
        <button type="button" class="fit" onClick={() => map.value?.fit(openDeliveries())}>
          <Icon name="target" label={WORDS.map.fit} />
        </button>
      )}
      <div class="map-foot">
        <CourierCard />
        <Legend hasCells={hasCells.value} />
      </div>
    </div>
  );
}

/** The legend: colours and shapes of couriers, with their numbers. */
function Legend({ hasCells }: { hasCells: boolean }) {
  const counts = fleetCounts.value;
  return (
    <ul class="legend" aria-label={WORDS.map.couriers}>
      {(Object.keys(COURIER_WORDS) as CourierState[]).map((state) => (
        <li key={state}>
          <svg class={`courier-shape courier-${state}`} viewBox="0 0 12 12" aria-hidden="true">
            <path fill-rule="evenodd" d={COURIER_SHAPES[state]} />
          </svg>
          {COURIER_WORDS[state]} <b>{formatCount(counts[state])}</b>
        </li>
      ))}
      {hasCells && (
        <li>
          <span class="demand-scale" />
          {WORDS.map.demand}
        </li>
      )}
    </ul>
  );
}

/** Watches the cells of the map, or the places of the open deliveries if there is no map. */
function useWatching(bounds: Signal<Bounds | null>, isPartial: Signal<boolean>): void {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const watch = (): void => {
    timer.current = undefined;
    const pickups = [chosen.value, ...openDeliveries()].flatMap((each) =>
      each === null ? [] : [each.pickup.coordinates],
    );
    const around = bounds.value ?? boundsAround(pickups);
    if (around === null) return;
    const watched = cellsToWatch(around, pickups);
    isPartial.value = bounds.value !== null && watched.isPartial;
    watchCells(watched.cells);
  };
  useSignalEffect(() => {
    const isWorthIt = bounds.value !== null || deliveries.value.size > 0;
    if (isWorthIt) timer.current ??= setTimeout(watch, WATCH_AFTER_MS);
  });
  useEffect(() => () => clearTimeout(timer.current), []);
}

/** Draws what changes. Each effect reads `restored`, and so draws all again on a restored map. */
function useDrawing(map: ReadonlySignal<FleetMap | null>, restored: Signal<number>): void {
  const isPlaced = useRef(false);
  useSignalEffect(() => {
    void restored.value;
    const open = openDeliveries();
    void map.value?.drawDeliveries(open, alarmed.value, chosen.value, chosenLegs.value);
    if (map.value === null || isPlaced.current || open.length === 0) return;
    isPlaced.current = true;
    map.value.fit(open);
  });
  useSignalEffect(() => {
    void restored.value;
    // Couriers move all the time, so a draw for each event of a delivery would draw other cells each time.
    void map.value?.drawDemand([...deliveries.peek().values()], fleet.couriers, now.value);
  });
  useSignalEffect(() => {
    void restored.value;
    const opened = map.value;
    const picked = pickedCourier.value;
    if (opened === null) return undefined;
    let drawn = -1;
    // A map that loses its graphics context may never finish what it draws. Each run of the effect has a new flag.
    let isDrawing = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const draw = (): void => {
      timer = setTimeout(draw, drawEveryMs(fleet.couriers.size));
      if (isDrawing || drawn === fleet.version || document.hidden) return;
      drawn = fleet.version;
      isDrawing = true;
      void opened.drawCouriers(fleet.couriers, serviceNow(), picked).finally(() => {
        isDrawing = false;
      });
    };
    draw();
    return () => clearTimeout(timer);
  });
}

/**
 * Moves the map to the chosen delivery once, when its pane is on the page. The pane covers a part of the map, and its width is
 * known only then.
 */
function useShowing(map: ReadonlySignal<FleetMap | null>): void {
  const id = useComputed(() => chosen.value?.id);
  useEffect(() => {
    if (chosen.value !== null) map.value?.show(chosen.value, coveredBy('.detail'));
  }, [map.value, id.value]);
}

async function open(
  container: HTMLElement,
  bounds: Signal<Bounds | null>,
  hasCells: Signal<boolean>,
  restored: Signal<number>,
): Promise<FleetMap> {
  const { openFleetMap } = await import('./fleet-map.ts');
  return openFleetMap(container, {
    onMoved: (moved, isFar) => {
      bounds.value = moved;
      hasCells.value = isFar;
    },
    onCourier: (id) => (pickedCourier.value = id),
    onDelivery: (id) => look({ chosen: id }),
    onRestored: () => (restored.value += 1),
  });
}

/** Width of the right side of the map that another pane covers, pixels. */
function coveredBy(pane: string): number {
  const edges = [pane, '.middle'].map((each) => document.querySelector(each)?.getBoundingClientRect());
  const [over, under] = edges;
  return over === undefined || under === undefined ? 0 : Math.max(0, under.right - over.left);
}

function boundsAround(places: readonly { lat: number; lng: number }[]): Bounds | null {
  if (places.length === 0) return null;
  const [lats, lngs] = [places.map(({ lat }) => lat), places.map(({ lng }) => lng)];
  return { west: Math.min(...lngs), south: Math.min(...lats), east: Math.max(...lngs), north: Math.max(...lats) };
}
