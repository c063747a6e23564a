import { useSignal } from '@preact/signals';
import type { TargetedSubmitEvent } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { fieldOf } from './form.ts';
import { explain } from './refusal.ts';

type Props = {
  readonly words: { heading: string; text: string; reason: string; confirm: string; keep: string };
  readonly reasons: readonly { value: string; label: string }[];
  /** Performs the action. If it throws, the dialog stays open and shows the error. */
  readonly act: (reason: string) => Promise<void>;
  readonly close: () => void;
};

/** Asks for a confirmation and a reason before an action that cannot be undone. */
export function Ask({ words, reasons, act, close }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const isBusy = useSignal(false);
  const mistake = useSignal<string | null>(null);
  useEffect(() => dialog.current?.showModal(), []);
  const submit = (event: TargetedSubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    isBusy.value = true;
    mistake.value = null;
    act(fieldOf(event.currentTarget, 'reason')).then(close, (error: unknown) => {
      isBusy.value = false;
      mistake.value = explain(error);
    });
  };
  return (
    <dialog class="ask" ref={dialog} onClose={close} aria-labelledby="ask-heading">
      <form onSubmit={submit}>
        <h2 id="ask-heading">{words.heading}</h2>
        <p>{words.text}</p>
        <label>
          {words.reason}
          <select name="reason">
            {reasons.map(({ value, label }) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </select>
        </label>
        {mistake.value !== null && (
          <p class="mistake" role="alert">
            {mistake.value}
          </p>
        )}
        <div class="ask-buttons">
          <button type="button" class="button" onClick={close}>
            {words.keep}
          </button>
          <button type="submit" class="button button-danger-main" disabled={isBusy.value}>
            {words.confirm}
          </button>
        </div>
      </form>
    </dialog>
  );
}
