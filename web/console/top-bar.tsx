import { formatTime } from '../shared/format.ts';
import { Icon } from '../shared/icons.tsx';
import { connection, lastSeenAt } from './live.ts';
import { logOut, session } from './session.ts';
import { WORDS } from './words.ts';

export function TopBar() {
  return (
    <header class="top">
      <a class="skip" href="#map">
        {WORDS.skip}
      </a>
      <strong class="brand">
        <Icon name="heading" />
        {WORDS.title}
      </strong>
      <Connection />
      <span class="who">{session.value?.email}</span>
      <button type="button" class="button button-quiet" onClick={leave}>
        <Icon name="logout" />
        <span class="wide-only">{WORDS.logout}</span>
        <span class="unseen narrow-only">{WORDS.logout}</span>
      </button>
    </header>
  );
}

function Connection() {
  const state = connection.value;
  const words =
    state === 'live'
      ? WORDS.live
      : state === 'joining'
        ? WORDS.connecting
        : WORDS.connectingAgain(formatTime(lastSeenAt.value));
  return (
    <span class={`connection connection-${state}`} role="status">
      <span class="connection-dot" />
      {words}
    </span>
  );
}

function leave(): void {
  logOut().catch(() => {
    // The page has logged out already. On the server the session ends when it expires.
  });
}
