import path from 'node:path';
import { defineConfig } from 'vite';

// Two pages, one build: `dist/web/{track,console}/index.html`, what they share under `dist/web/assets`.
export default defineConfig({
  root: import.meta.dirname,
  base: '/',
  publicDir: false,
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: path.resolve(import.meta.dirname, '..', 'dist', 'web'),
    emptyOutDir: true,
    target: 'es2023',
    sourcemap: false,
    // Every file under its own address: the pages' policy has no room for `data:` scripts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 1500,
    rolldownOptions: {
      // `npm start` builds the pages: a busy machine is not a fault that its user should read about.
      checks: { bundlerTimings: false },
      input: {
        track: path.join(import.meta.dirname, 'track', 'index.html'),
        console: path.join(import.meta.dirname, 'console', 'index.html'),
      },
    },
  },
});
