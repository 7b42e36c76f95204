import { join } from 'node:path';
import type { Rolldown } from 'vite';

const ROOT = join(import.meta.dirname, '../..');

/** The forms that people without an account see. */
const FORM_PAGES = [
  'features/access-gate/access-code-page.tsx',
  'app/session/callback-page.tsx',
  'features/advertisers/signup/signup-page.tsx',
  'features/charities/charity-signup-page.tsx',
  'platform/create-auth.ts',
];
/** What all member screens need. */
const FRAME = [
  'app/dashboard/member-layout.tsx',
  'platform/sync/documents/current-user-documents.ts',
  'platform/create-auth.ts',
];
/** The first screen of a member. */
const DASHBOARD = ['app/dashboard/home-page.tsx'];

/** Modules that load once the dashboard is rendered. */
const LATER = ['features/ads/slot-content.tsx', 'platform/sync/outbox/outbox-calls.ts'];

/** The modules that load Automerge and the modules that need it. */
const DOCUMENTS_LOADERS = [
  'client/platform/sync/documents/load-automerge.ts',
  'client/features/chat/thread/threads.ts',
].map((file) => join(ROOT, file));

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
  for (const page of pages) add(join(ROOT, 'client', page));
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
export const groups = [
  { name: 'app', tags: ['$initial' as const] },
  { name: 'public', test: /landing\/landing-page/ },
  // The packages that all screens of members use, with the module that is imported first. Of Automerge, schemas need two modules; the
  // rest loads with the documents.
  {
    name: 'packages',
    test: /node_modules\/(lucide-react|@tanstack)\/|automerge\/dist\/mjs\/(immutable_string|constants)|client\/platform\/http\/query-client/,
  },
  { name: commonChunk, debugName: 'common' },
  { name: laterChunk, debugName: 'later' },
  // The start page shows an ad without loading the dashboard.
  { name: 'slots', test: isOneOf(['features/ads/slot-content.tsx']) },
  { name: 'forms', test: isOneOf(FORM_PAGES) },
  { name: 'automerge', test: /@automerge\/automerge\/dist\/mjs/ },
  { name: contractsChunk, debugName: 'contracts' },
  { name: 'frame', test: isOneOf(FRAME) },
  { name: 'dashboard', test: isOneOf(DASHBOARD) },
  { name: 'word-filter', test: isOneOf(['features/moderation/use-word-filter.ts']) },
  { name: documentsChunk, debugName: 'documents' },
];
