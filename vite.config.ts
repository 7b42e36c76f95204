import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { VitePWA } from 'vite-plugin-pwa';
import { groups } from './scripts/build/client-chunks.ts';
import {
  compileHints,
  landingPreloaded,
  routerInParts,
  stylesInside,
  withoutEval,
  withoutUnusedZod,
  withoutUnusedZodInWorkers,
} from './scripts/build/client-plugins.ts';

const api = `http://127.0.0.1:${process.env.API_PORT ?? 3001}`;
const sync = `http://127.0.0.1:${process.env.SYNC_PORT ?? 3002}`;
const product = process.env.PRODUCT_NAME || 'Leashwise';

/**
 * These packages don't declare that their modules have no side effects: one small class would include all of Automerge, which loads later,
 * with the documents, and one table of lookalikes obscenity's English words, which each start would build.
 */
const treeshake = {
  moduleSideEffects: [
    { test: /@automerge\/automerge\/dist\/mjs\/|\/obscenity\/dist\//, sideEffects: false },
  ],
};

/** The service worker (client/app/service-worker.ts), and the name and icons of the installed app. */
const installable = VitePWA({
  strategies: 'injectManifest',
  srcDir: 'app',
  filename: 'service-worker.ts',
  injectRegister: false,
  includeManifestIcons: false,
  injectManifest: {
    rollupFormat: 'iife',
    globPatterns: ['**/*.{html,js,css,svg,wasm,woff2}'],
    maximumFileSizeToCacheInBytes: 5_000_000,
  },
  manifest: {
    id: '/',
    name: product,
    short_name: product,
    description: 'Know about the dogs around the corner before they know about yours.',
    start_url: '/home',
    scope: '/',
    display: 'standalone',
    theme_color: '#faf4ea',
    background_color: '#faf4ea',
    icons: [
      { src: '/icons/icon-192.png', sizes: '192x192', type: 'image/png' },
      { src: '/icons/icon-512.png', sizes: '512x512', type: 'image/png' },
      { src: '/icons/maskable-512.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
      { src: '/favicon.svg', sizes: 'any', type: 'image/svg+xml' },
    ],
  },
});

export default defineConfig({
  root: 'client',
  define: {
    // `%PRODUCT%` in the page.
    'import.meta.env.PRODUCT': JSON.stringify(product),
    __PRODUCT_NAME__: JSON.stringify(product),
    __SIGN_IN_NAME__: JSON.stringify(process.env.SIGN_IN_NAME || 'Google'),
  },
  plugins: [
    react(),
    tailwindcss(),
    routerInParts,
    withoutUnusedZod,
    withoutEval,
    stylesInside,
    landingPreloaded,
    compileHints,
    installable,
  ],
  worker: {
    format: 'es',
    plugins: () => [withoutUnusedZodInWorkers],
    rolldownOptions: { treeshake },
  },
  build: {
    outDir: '../dist/client',
    emptyOutDir: true,
    target: 'es2022',
    // Browsers that don't know it load these files a moment later.
    modulePreload: { polyfill: false },
    rolldownOptions: { treeshake, output: { codeSplitting: { groups } } },
  },
  server: {
    host: process.env.HOST ?? '127.0.0.1',
    port: Number(process.env.PORT ?? 3000),
    strictPort: true,
    proxy: {
      // Whole paths only: the client has an api.ts and a folder sync, too.
      '^/api/': { target: api, xfwd: true },
      '^/sync(\\?|$)': { target: sync, ws: true, xfwd: true },
    },
  },
});
