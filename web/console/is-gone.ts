import { useEffect, useRef } from 'preact/hooks';

/** Says whether the part of the page that asks is no longer shown, for work that ends after it. */
export function useIsGone(): { readonly current: boolean } {
  const isGone = useRef(false);
  useEffect(() => {
    isGone.current = false;
    return () => {
      isGone.current = true;
    };
  }, []);
  return isGone;
}
