import { render } from 'preact';
import { App } from './app.tsx';
import { resumeSession } from './session.ts';

const root = document.querySelector('#app');
resumeSession();
if (root !== null) {
  root.replaceChildren();
  render(<App />, root);
}
