import { chosen, isAssigning, look, pickedCourier, view } from './board.ts';
import { isReviewing, queue } from './review/queue.ts';
import { others, rows } from './rows.ts';

/** Starts the keyboard shortcuts: `/` searches, arrows move through the list, Enter goes to the details, `a` assigns, Escape goes back. Returns a stop. */
export function listenToKeys(): () => void {
  const stop = new AbortController();
  document.addEventListener('keydown', onKey, { signal: stop.signal });
  return () => stop.abort();
}

function onKey(event: KeyboardEvent): void {
  if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector('dialog[open]') !== null) return;
  if (event.key === 'Escape') {
    goBack();
    return;
  }
  const target = event.target instanceof HTMLElement ? event.target : document.body;
  const isList = target.closest('.left') !== null && target.tagName !== 'SELECT';
  if ((event.key === 'ArrowDown' || event.key === 'ArrowUp') && (target === document.body || isList)) {
    event.preventDefault();
    chooseBeside(event.key === 'ArrowDown' ? 1 : -1);
    return;
  }
  if (['INPUT', 'SELECT', 'TEXTAREA'].includes(target.tagName)) return;
  if (isReviewing.value) return;
  const row = target.closest<HTMLElement>('.row');
  if (event.key === 'Enter' && row?.dataset['id'] === chosenId()) {
    event.preventDefault();
    focusDetail();
  }
  if (event.key === '/') {
    event.preventDefault();
    document.querySelector<HTMLInputElement>('#search')?.focus();
  }
  if (event.key === 'a' && chosen.value?.status === 'searching') isAssigning.value = true;
}

function goBack(): void {
  if (isReviewing.value) closeChosen();
  else if (pickedCourier.value !== null) pickedCourier.value = null;
  else if (isAssigning.value) isAssigning.value = false;
  else if (view.value.chosen !== null) closeChosen();
  else if (view.value.search !== '' || view.value.states.length > 0) look({ search: '', states: [] });
}

/** Closes the chosen delivery or document and puts the focus back on its row. */
export function closeChosen(): void {
  const id = chosenId();
  choose(null);
  focusRow(id);
}

function chosenId(): string | null {
  const { chosen: delivery, document: paper } = view.value;
  return isReviewing.value ? paper : delivery;
}

function choose(id: string | null): void {
  look(isReviewing.value ? { document: id } : { chosen: id });
}

function chooseBeside(step: number): void {
  const all: readonly { readonly id: string }[] = isReviewing.value
    ? (queue.value?.documents ?? [])
    : [...rows.value, ...others.value];
  const at = all.findIndex(({ id }) => id === chosenId());
  const next = all[at === -1 ? (step > 0 ? 0 : all.length - 1) : at + step];
  if (next === undefined) return;
  choose(next.id);
  focusRow(next.id);
}

/** Moves the focus to the chosen delivery or document, because hundreds of rows may lie between a row and its delivery. */
export function focusDetail(): void {
  document.querySelector<HTMLElement>('.detail, .review')?.focus();
}

/** Moves the focus at once, so that the next key does not go to the old element. */
function focusRow(id: string | null): void {
  const row = [...document.querySelectorAll<HTMLElement>('.row')].find((each) => each.dataset['id'] === id);
  row?.focus();
  row?.scrollIntoView({ block: 'nearest' });
}
