import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { VitePWA } from 'vite-plugin-pwa';
import { groups } from './scripts/build/client-chunks.ts';
import {
  compileHints,
  landingPreloaded,
  stylesInside,
  withoutEval,
  withoutUnusedZod,
  withoutZodTexts,
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

/** The forms that people without an account see. */
const FORM_PAGES = [
  'features/access-gate/access-code-page.tsx',
  'app/session/callback-page.tsx',
  'features/advertisers/signup/signup-page.tsx',
  'features/charities/charity-signup-page.tsx',
  'platform/session/create-auth.ts',
];
/** What all member screens need. */
const FRAME = [
  'app/dashboard/member-layout.tsx',
  'platform/sync/documents/current-user-documents.ts',
  'platform/session/create-auth.ts',
];
/** The first screen of a member. */
const DASHBOARD = ['app/dashboard/home-page.tsx'];

/** Modules that load once the dashboard is rendered. */
const LATER = ['features/ads/slot-content.tsx', 'platform/sync/outbox/outbox-calls.ts'];

/** The modules that load Automerge and the modules that need it. */
const DOCUMENTS_LOADERS = [
  'client/platform/sync/documents/load-automerge.ts',
  'client/features/chat/thread/threads.ts',
].map((file) => join(import.meta.dirname, file));

/** Whether a module is one of some pages. */
const isOneOf = (pages: readonly string[]) => (id: string) =>
  pages.some((page) => id.endsWith(`/client/${page}`));

/** Returns the modules of ours that pages import, and those that these import. */
function importedBy(pages: readonly string[], context: Rolldown.ChunkingContext): Set<string> {
  const found = new Set<string>();
  const add = (id: string) => {
    // A package's index imports far more than is used. The bundler knows better.
    if (found.has(id) || id.includes('/node_modules/')) return;
    found.add(id);
    for (const imported of context.getModuleInfo(id)?.importedIds ?? []) add(imported);
  };
  for (const page of pages) add(join(import.meta.dirname, 'client', page));
  return found;
}

type Imported = Record<'forms' | 'start' | 'later', Set<string>>;
let known: Imported | null = null;

/** Returns the modules of ours that the forms import, those of a member's start, and those that it loads when the dashboard is rendered. */
function imports(context: Rolldown.ChunkingContext): Imported {
  known ??= {
    forms: importedBy(FORM_PAGES, context),
    start: importedBy([...FRAME, ...DASHBOARD], context),
    later: importedBy(LATER, context),
  };
  return known;
}

/**
 * Names the chunk of the modules that both the forms and the member screens import, so that a member's start does not
 * evaluate the forms.
 */
function commonChunk(id: string, context: Rolldown.ChunkingContext): string | null {
  const { forms, start } = imports(context);
  if (id.includes('/node_modules/zod/')) return 'common';
  return forms.has(id) && start.has(id) ? 'common' : null;
}

/** Names the chunk of the other modules that the forms share with what a start loads later. */
function laterChunk(id: string, context: Rolldown.ChunkingContext): string | null {
  const { forms, later } = imports(context);
  return forms.has(id) && later.has(id) ? 'later' : null;
}

/** Names the chunk of the schemas that a member's start needs. They are evaluated apart, because they take as long as all other modules. */
const contractsChunk = (id: string, context: Rolldown.ChunkingContext): string | null =>
  id.includes('/shared/') && imports(context).start.has(id) ? 'contracts' : null;

/** Names the chunk of our modules that are loaded to open documents. Each would cost a request and a task as a chunk of its own. */
const documentsChunk = (id: string, context: Rolldown.ChunkingContext): string | null =>
  !id.includes('/node_modules/') &&
  DOCUMENTS_LOADERS.some((loader) =>
    context.getModuleInfo(loader)?.dynamicallyImportedIds.includes(id),
  )
    ? 'documents'
    : null;

/**
 * Groups modules into chunks, the first match wins. A group takes along everything that its modules import, so that a group imports
 * only from groups before it. Without groups the bundler makes a chunk for each set of screens that share a module, and the dashboard
 * needs 120 of them.
 */
const groups = [
  { name: 'app', tags: ['$initial' as const] },
  // Schemas need these two; the rest of Automerge loads with the documents.
  {
    name: 'public',
    test: /landing\/landing-page|automerge\/dist\/mjs\/(immutable_string|constants)/,
  },
  // The packages that all screens use, with the module that is imported first.
  {
    name: 'packages',
    test: /node_modules\/(lucide-react|@tanstack)\/|client\/platform\/http\/query-client/,
  },
  { name: commonChunk, debugName: 'common' },
  { name: laterChunk, debugName: 'later' },
  { name: 'forms', test: isOneOf(FORM_PAGES) },
  { name: 'automerge', test: /@automerge\/automerge\/dist\/mjs/ },
  { name: contractsChunk, debugName: 'contracts' },
  { name: 'frame', test: isOneOf(FRAME) },
  { name: 'dashboard', test: isOneOf(DASHBOARD) },
  { name: 'word-filter', test: isOneOf(['features/moderation/use-word-filter.ts']) },
  { name: documentsChunk, debugName: 'documents' },
];

/**
 * react-router's package names its development build for bundlers, whose warnings are 1 kB of the landing page's 99. Its parts for servers that
 * render pages are 4 kB: forms, restored scroll positions and links that load pages in advance, which the app has none of.
 */
const routerInParts: Plugin = {
  name: 'router-in-parts',
  apply: 'build',
  enforce: 'pre',
  async resolveId(source, importer, options) {
    if (!/^react-router(\/dom)?$/.test(source)) return null;
    const resolved = await this.resolve(source, importer, { ...options, skipSelf: true });
    return resolved?.id.replace('/dist/development/', '/dist/production/') ?? null;
  },
  transform: {
    filter: { id: /react-router\/dist\/production\/chunk-\w+\.mjs$/ },
    handler: (code) =>
      code
        .replaceAll(/^(?:Form|HistoryRouter|NavLink|ScrollRestoration)\.displayName = .+;$/gm, '')
        .replaceAll(
          /^var (Form|NavLink) = (React\d*\.forwardRef\()/gm,
          'var $1 = /* @__PURE__ */ $2',
        )
        .replaceAll(
          /^function (PrefetchPageLinks|RemixRootDefaultErrorBoundary)\(/gm,
          'const $1 = () => null;\nfunction unused$1(',
        ),
  },
};

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
    withoutZodTexts,
    withoutEval,
    stylesInside,
    landingPreloaded,
    compileHints,
    installable,
  ],
  worker: {
    format: 'es',
    plugins: () => [withoutUnusedZod, withoutZodTexts],
    rolldownOptions: { treeshake },
  },
  build: {
    outDir: '../dist/client',
    emptyOutDir: true,
    target: 'es2022',
    // Browsers that don't know it load these files a moment later.
    modulePreload: { polyfill: false },
    rolldownOptions: { output: { codeSplitting: { groups } } },
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
