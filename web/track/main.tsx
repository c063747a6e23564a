import { render } from 'preact';
import type { TrackDelivery } from '../../src/realtime/protocol.ts';
import { accentOf } from '../shared/accent.ts';
import { follow } from './follow.ts';
import { Page } from './page.tsx';
import { kindWords } from './words.ts';

const root = document.querySelector('#app');
const told = document.querySelector('#state')?.textContent ?? null;
const token = location.pathname.split('/').at(-1) ?? '';

if (root !== null && told !== null) {
  root.replaceChildren();
  const state = JSON.parse(told) as TrackDelivery;
  wear(state.vendor.accent);
  document.title = kindWords(state).title(state.vendor.name);
  render(<Page following={follow(token, state)} token={token} />, root);
}

/** Sets the colour of the vendor on the page, in a readable shade. */
function wear(colour: string): void {
  const { light, dark, onLight, onDark } = accentOf(colour);
  const { style } = document.documentElement;
  style.setProperty('--accent-light', light);
  style.setProperty('--accent-dark', dark);
  style.setProperty('--on-accent-light', onLight);
  style.setProperty('--on-accent-dark', onDark);
}
