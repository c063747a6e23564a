import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { AlarmList } from './alarm-list.tsx';
import { chosen, clearBoard, notice, view } from './board.ts';
import { DetailPane } from './detail-pane.tsx';
import { listenToKeys } from './keys.ts';
import { ListPane } from './list-pane.tsx';
import { goLive } from './live.ts';
import { LoginForm } from './login-form.tsx';
import { MapPane } from './map-pane.tsx';
import { isOver, session } from './session.ts';
import { TopBar } from './top-bar.tsx';
import { Icon } from '../shared/icons.tsx';
import { WORDS } from './words.ts';

type Pane = 'list' | 'map';

/** The console or the login. If the session expires, the login covers the console and keeps its state. */
export function App() {
  if (session.value === null) return <LoginForm heading={WORDS.login.heading} />;
  return (
    <>
      <div class="app" inert={isOver.value}>
        <Board />
      </div>
      {isOver.value && (
        <div class="cover">
          <LoginForm heading={WORDS.login.again} text={WORDS.login.againText} email={session.value.email} />
        </div>
      )}
    </>
  );
}

function Board() {
  const pane = useSignal<Pane>('list');
  useEffect(() => {
    const leave = goLive();
    const stopKeys = listenToKeys();
    return () => {
      leave();
      stopKeys();
      clearBoard();
    };
  }, []);
  const hasDetail = view.value.chosen !== null;
  return (
    <div class={`board show-${pane.value} ${hasDetail ? 'with-detail' : ''}`}>
      <TopBar />
      <aside class="left">
        <AlarmList />
        <ListPane />
      </aside>
      <main class="middle" id="map">
        <MapPane />
      </main>
      <DetailPane />
      <nav class="panes">
        {(['list', 'map'] as const).map((name) => (
          <button
            key={name}
            type="button"
            aria-pressed={pane.value === name}
            onClick={() => {
              pane.value = name;
            }}
          >
            <Icon name={name} />
            {WORDS.panes[name]}
          </button>
        ))}
      </nav>
      <Notice />
      <p class="unseen" aria-live="polite">
        {chosen.value === null ? '' : chosen.value.id}
      </p>
    </div>
  );
}

/** A notice that disappears after a few seconds. */
function Notice() {
  const text = notice.value;
  useEffect(() => {
    if (text === null) return undefined;
    const timer = setTimeout(() => {
      notice.value = null;
    }, 5000);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <div role="status" class="notice-place">
      {text !== null && <p class="notice">{text}</p>}
    </div>
  );
}
