import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** The mark in the head of the built pages that is replaced by `LOAD_AGAIN`. */
export const LOAD_AGAIN_MARK = '<!--load-again-->';

const script = readFileSync(new URL('load-again.js', import.meta.url), 'utf8');

/** The style of a page that is one short text. It relies on no file, because the style sheets may be missing too. */
export const STAND_IN_STYLE =
  ':root{color-scheme:light dark}' +
  'body{margin:0;background:light-dark(#f3f5f6,#101316);color:light-dark(#14181c,#eef1f3)}' +
  '.stand-in{box-sizing:border-box;display:grid;place-content:center;justify-items:center;' +
  'min-height:100dvh;max-width:420px;margin:0 auto;padding:24px;font:16px/1.5 system-ui,sans-serif;text-align:center}' +
  '.stand-in h1{margin:0;font-size:28px;line-height:1.2;text-wrap:balance}.stand-in p{margin:12px 0 0;' +
  'color:light-dark(#4b5560,#adb7c0);text-wrap:balance}' +
  '.stand-in a{display:grid;align-items:center;min-height:44px;margin-top:24px;padding:0 24px;border-radius:8px;' +
  'background:#0b6e4f;color:#fff;font-weight:600;text-decoration:none}' +
  '#not-loaded{display:none}[data-not-loaded] #not-loaded{display:grid}';

/**
 * The part of a page that does not rely on any file. While two releases run side by side, a process of the other one does
 * not have the files of the page. It then shows the text for that and reloads the page.
 */
export const LOAD_AGAIN = `<style>${STAND_IN_STYLE}</style><script>${script}</script>`;

/** The source by which the security policy allows this one script. */
export const LOAD_AGAIN_SOURCE = `'sha256-${createHash('sha256').update(script).digest('base64')}'`;
