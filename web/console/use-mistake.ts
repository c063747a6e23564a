import { useSignal, type Signal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { tell } from './board.ts';
import { explain } from './refusal.ts';

type Mistake = {
  /** The sentence that this part of the page shows; null if nothing failed. */
  readonly mistake: Signal<string | null>;
  /** Whether this part is no longer shown. */
  readonly isGone: { readonly current: boolean };
  /** Shows why an action failed: here, or as a notice if this part is gone. */
  readonly fail: (error: unknown) => void;
};

/** The failure of the last action of a part of the page. */
export function useMistake(): Mistake {
  const mistake = useSignal<string | null>(null);
  const isGone = useRef(false);
  // The cleanup of `useEffect` runs after the next paint: a failure before it would be shown by a part that is gone.
  useLayoutEffect(
    () => () => {
      isGone.current = true;
    },
    [],
  );
  const fail = (error: unknown): void => {
    if (isGone.current) tell(explain(error));
    else mistake.value = explain(error);
  };
  return { mistake, isGone, fail };
}
