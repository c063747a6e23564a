import { formatCount, formatTime } from '../shared/format.ts';
import { Icon } from '../shared/icons.tsx';
import { look, view } from './board.ts';
import { alarms } from './known-alarms.ts';
import type { Desk } from './filters.ts';
import { connection, lastSeenAt } from './live.ts';
import { queue } from './review/queue.ts';
import { logOut, mayReview, session } from './session.ts';
import { WORDS } from './words.ts';

export function TopBar() {
  return (
    <header class="top">
      <a class="skip" href="#work">
        {WORDS.skip}
      </a>
      <h1 class="brand">
        <Icon name="heading" />
        <span class="brand-name">{WORDS.title}</span>
      </h1>
      {mayReview.value && <Desks />}
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

/** The switch between deliveries and documents, for staff who may review. */
function Desks() {
  return (
    <nav class="desks" aria-label={WORDS.desks.label}>
      {(['deliveries', 'documents'] as const).map((desk: Desk) => (
        <button key={desk} type="button" aria-pressed={view.value.desk === desk} onClick={() => look({ desk })}>
          {WORDS.desks[desk]}
          {desk === 'documents' ? <WaitingCount /> : <AlarmCount />}
        </button>
      ))}
    </nav>
  );
}

/** The number of documents that wait. */
export function WaitingCount() {
  const { documents = [], hasMore = false } = queue.value ?? {};
  if (documents.length === 0) return null;
  return <b class="count">{`${formatCount(documents.length)}${hasMore ? '+' : ''}`}</b>;
}

/** The number of alarms, which the reviewer of documents would not see otherwise. */
function AlarmCount() {
  if (alarms.value.size === 0 || view.value.desk === 'deliveries') return null;
  return (
    <b class="count count-alarm">
      <Icon name="alert" label={WORDS.alarms.heading} />
      {formatCount(alarms.value.size)}
    </b>
  );
}

function Connection() {
  const [state, seenAt] = [connection.value, lastSeenAt.value];
  const words = { live: WORDS.live, joining: WORDS.connecting, lost: WORDS.connectingAgain }[state];
  return (
    <span class={`connection connection-${state}`} role="status">
      <span class="connection-dot" />
      {words}
      {state === 'lost' && seenAt !== null && ` ${WORDS.lastUpdate(formatTime(seenAt))}`}
    </span>
  );
}

function leave(): void {
  logOut().catch(() => {
    // The page has logged out already. On the server the session ends when it expires.
  });
}
