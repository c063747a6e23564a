import { useSignal, type Signal } from '@preact/signals';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { AlarmList } from './alarm-list.tsx';
import { chosen, clearBoard, look, notice, view } from './board.ts';
import { DetailPane } from './detail-pane.tsx';
import { listenToKeys } from './keys.ts';
import { ListPane } from './list-pane.tsx';
import { goLive } from './live.ts';
import { LoginForm } from './login-form.tsx';
import { MapPane } from './map-pane.tsx';
import { isOver, mayReview, session } from './session.ts';
import { DocumentPane } from './review/document-pane.tsx';
import { followQueue, isReviewing } from './review/queue.ts';
import { QueueList } from './review/queue-list.tsx';
import { TopBar, WaitingCount } from './top-bar.tsx';
import { Icon } from '../shared/icons.tsx';
import { WORDS } from './words.ts';

type Pane = 'list' | 'map';

/** The console or the login. If the session expires, the login covers the console and keeps its state. */
export function App() {
  if (session.value === null) return <LoginForm heading={WORDS.login.heading} />;
  return (
    <>
      <div class="app">
        <Board />
      </div>
      {isOver.value && <Cover email={session.value.email} />}
    </>
  );
}

/** The login over the console, also over an open question. It cannot be closed, and gives the focus back at the end. */
function Cover({ email }: { readonly email: string }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const cover = dialog.current;
    cover?.showModal();
    return () => cover?.close();
  }, []);
  return (
    <dialog
      class="cover"
      ref={dialog}
      aria-labelledby="login-heading"
      // Browsers close a dialog at the second Escape, whatever the page says.
      onClose={({ currentTarget: cover }) => cover.isConnected && cover.showModal()}
    >
      <LoginForm heading={WORDS.login.again} text={WORDS.login.againText} email={email} />
    </dialog>
  );
}

function Board() {
  const pane = useSignal<Pane>('list');
  useEffect(() => {
    const leave = goLive();
    const stopQueue = followQueue();
    const stopKeys = listenToKeys();
    return () => {
      stopQueue();
      leave();
      stopKeys();
      clearBoard();
    };
  }, []);
  const hasDetail = (isReviewing.value ? view.value.document : view.value.chosen) !== null;
  return (
    <div class={`board show-${isReviewing.value ? 'documents' : pane.value} ${hasDetail ? 'with-detail' : ''}`}>
      <TopBar />
      {isReviewing.value ? <ReviewDesk /> : <DeliveryDesk />}
      <Panes pane={pane} />
      <Notice />
      <p class="unseen" aria-live="polite">
        {isReviewing.value || chosen.value === null ? '' : chosen.value.id}
      </p>
    </div>
  );
}

function DeliveryDesk() {
  return (
    <>
      <aside class="left">
        <AlarmList />
        <ListPane />
      </aside>
      <main class="middle" id="work">
        <MapPane />
      </main>
      <DetailPane />
    </>
  );
}

function ReviewDesk() {
  return (
    <>
      <aside class="left">
        <QueueList />
      </aside>
      <main class="middle" id="work">
        <DocumentPane />
      </main>
    </>
  );
}

/** The switch between the panes, on a phone. */
function Panes({ pane }: { pane: Signal<Pane> }) {
  return (
    <nav class="panes">
      {(['list', 'map'] as const).map((name) => (
        <button
          key={name}
          type="button"
          aria-pressed={!isReviewing.value && pane.value === name}
          onClick={() => {
            pane.value = name;
            look({ desk: 'deliveries' });
          }}
        >
          <Icon name={name} />
          {WORDS.panes[name]}
        </button>
      ))}
      {mayReview.value && (
        <button type="button" aria-pressed={isReviewing.value} onClick={() => look({ desk: 'documents' })}>
          <Icon name="document" />
          {WORDS.desks.documents}
          <WaitingCount />
        </button>
      )}
    </nav>
  );
}

/** A notice that disappears after a few seconds. */
function Notice() {
  const told = notice.value;
  useEffect(() => {
    if (told === null) return undefined;
    const timer = setTimeout(() => {
      notice.value = null;
    }, 5000);
    return () => clearTimeout(timer);
  }, [told]);
  return (
    <div role="status" class="notice-place">
      {told !== null && (
        <p key={told} class="notice">
          {told.text}
        </p>
      )}
    </div>
  );
}
