import { useSignal } from '@preact/signals';
import type { ComponentChildren, TargetedSubmitEvent } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { focusDetail } from './keys.ts';
import { useMistake } from './use-mistake.ts';

type Props = {
  readonly words: { heading: string; text: string; confirm: string; keep: string };
  /** Whether the action takes something away. */
  readonly isDanger?: boolean;
  /** Whether the question has all that a person must know before they confirm it. */
  readonly isReady?: boolean;
  /** The fields of the question. */
  readonly children: ComponentChildren;
  /** Performs the action. If it throws, the dialog shows the error, or a notice does if the dialog is gone. */
  readonly act: (form: HTMLFormElement) => Promise<void>;
  readonly close: () => void;
};

/** Asks for a confirmation before an action that cannot be undone. */
export function Ask({ words, isDanger = true, isReady = true, children, act, close }: Props) {
  const dialog = useDialog(close);
  const buttons = useRef<HTMLDivElement>(null);
  const isBusy = useSignal(false);
  const { mistake, isGone, fail } = useMistake();
  // The event `close` may come after the next key. It must not close the question that this key opens.
  const closeOnce = (): void => {
    if (!isGone.current) close();
  };
  const keep = (): void => {
    dialog.current?.close();
    closeOnce();
  };
  const submit = (event: TargetedSubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    // The button is disabled until the answer, and the focus would go with it.
    buttons.current?.focus();
    isBusy.value = true;
    mistake.value = null;
    act(event.currentTarget).then(closeOnce, (error: unknown) => {
      isBusy.value = false;
      fail(error);
    });
  };
  return (
    <dialog
      class="ask"
      ref={dialog}
      onCancel={(event) => {
        event.preventDefault();
        if (!isBusy.value) keep();
      }}
      onClose={closeOnce}
      aria-labelledby="ask-heading"
    >
      <form onSubmit={submit}>
        <h2 id="ask-heading">{words.heading}</h2>
        <p>{words.text}</p>
        {children}
        {mistake.value !== null && (
          <p class="mistake" role="alert">
            {mistake.value}
          </p>
        )}
        <div class="ask-buttons" ref={buttons} tabIndex={-1}>
          <button type="button" class="button" onClick={keep} disabled={isBusy.value}>
            {words.keep}
          </button>
          <button
            type="submit"
            class={`button ${isDanger ? 'button-danger-main' : 'button-main'}`}
            disabled={isBusy.value || !isReady}
          >
            {words.confirm}
          </button>
        </div>
      </form>
    </dialog>
  );
}

type Reason = { readonly value: string; readonly label: string };

type ReasonsProps = {
  readonly label: string;
  readonly reasons: readonly Reason[];
  readonly onChange?: (reason: string) => void;
};

/** The field `reason` of a question. */
export function Reasons({ label, reasons, onChange }: ReasonsProps) {
  return (
    <label>
      {label}
      <select name="reason" onChange={({ currentTarget }) => onChange?.(currentTarget.value)}>
        {reasons.map((reason) => (
          <option key={reason.value} value={reason.value}>
            {reason.label}
          </option>
        ))}
      </select>
    </label>
  );
}

/** A dialog that opens with its part of the page and closes with it. */
function useDialog(close: () => void) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    dialog.current?.showModal();
  }, []);
  useLayoutEffect(() => {
    const shown = dialog.current;
    return () => {
      // The button that opened it goes too, because the action was done or is no longer possible.
      if (shown?.open === true) {
        shown.close();
        focusDetail();
      }
      // A question that its subject took away would otherwise come back with the next one.
      close();
    };
  }, []);
  return dialog;
}
