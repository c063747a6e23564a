import { useSignal } from '@preact/signals';
import type { TargetedSubmitEvent } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { fieldOf } from './form.ts';
import markUrl from '../shared/icon.svg?url';
import { ServiceProblem } from '../../packages/client/src/problems.ts';
import { explain } from './refusal.ts';
import { logIn } from './session.ts';
import { WORDS } from './words.ts';

type Props = { readonly heading: string; readonly text?: string; readonly email?: string };

/** The login, at the start and after a session has ended. */
export function LoginForm({ heading, text, email }: Props) {
  const isBusy = useSignal(false);
  const mistake = useSignal<string | null>(null);
  const first = useRef<HTMLInputElement>(null);
  useEffect(() => first.current?.focus(), []);
  const submit = (event: TargetedSubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const form = event.currentTarget;
    isBusy.value = true;
    mistake.value = null;
    logIn(fieldOf(form, 'email'), fieldOf(form, 'password'))
      .catch((error: unknown) => {
        mistake.value = sentence(error);
      })
      .finally(() => {
        isBusy.value = false;
      });
  };
  return (
    <div class="login">
      <form class="login-card" onSubmit={submit} aria-labelledby="login-heading">
        <img class="login-mark" src={markUrl} alt="" width="40" height="40" />
        <h1 id="login-heading">{heading}</h1>
        {text !== undefined && <p class="quiet">{text}</p>}
        <label>
          {WORDS.login.email}
          <input
            name="email"
            type="email"
            autocomplete="username"
            required
            defaultValue={email ?? ''}
            ref={email === undefined ? first : null}
          />
        </label>
        <label>
          {WORDS.login.password}
          <input
            name="password"
            type="password"
            autocomplete="current-password"
            required
            ref={email === undefined ? null : first}
          />
        </label>
        {mistake.value !== null && (
          <p class="mistake" role="alert">
            {mistake.value}
          </p>
        )}
        <button type="submit" class="button button-main" disabled={isBusy.value}>
          {isBusy.value ? WORDS.login.busy : WORDS.login.submit}
        </button>
      </form>
    </div>
  );
}

function sentence(error: unknown): string {
  if (!(error instanceof ServiceProblem)) return WORDS.login.unreachable;
  return error.problem.status === 401 || error.problem.status === 400 ? WORDS.login.wrong : explain(error);
}
