import path from 'node:path';
import { defineConfig } from 'vite';

// One build for two pages: `dist/web/{track,console}/index.html`, with shared files in `dist/web/assets`.
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
    // Every file has its own URL, because the security policy of the pages forbids `data:` scripts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 1500,
    rolldownOptions: {
      // `npm start` builds the pages, and its user need not see warnings about build time.
      checks: { bundlerTimings: false },
      input: {
        track: path.join(import.meta.dirname, 'track', 'index.html'),
        console: path.join(import.meta.dirname, 'console', 'index.html'),
      },
    },
  },
});
