import { dirname, join, relative } from 'node:path';
import type { InlineConfig, Plugin } from 'vite';

const ROOT = join(import.meta.dirname, '../..');

/** The servers, each with the entry module of its source. Decision 242. */
export const SERVERS = {
  api: 'api/app/main.ts',
  'sync-server': 'sync-server/main.ts',
  gateway: 'gateway/main.ts',
  'api-with-gateway': 'scripts/stack/api-with-gateway.ts',
};
export type ServerName = keyof typeof SERVERS;
/** Programs that docker-compose.yml runs beside the servers. They are built together. */
const SETUP_PROGRAMS = {
  'caddy-headers': 'gateway/caddy-headers.ts',
  'mongodb-init': 'scripts/docker/mongodb-init.ts',
  admin: 'scripts/cli/admin.ts',
};
/** What the sync server runs in a thread or a process of its own (sync-server/core/quarantine/own-program.ts). */
const OWN_THREADS = {
  'document-watchdog': 'sync-server/core/quarantine/document-watchdog.ts',
  'document-trial': 'sync-server/core/quarantine/document-trial.ts',
};

/** The flags of Node for a built server; docker-compose.yml and the systemd units repeat them. Decision 355 has the reasons. */
export const SERVER_FLAGS = [
  '--enable-source-maps',
  '--max-semi-space-size=16',
  '--heap-growing-percent=200',
];
/** The environment of the built servers: of eight threads, each would get a pool of memory that is hardly returned. */
export const SERVER_ENV = { MALLOC_ARENA_MAX: '2' };

/** Returns how to start a built server: `fork(script, { execArgv })`. */
export const builtServer = (name: ServerName) => ({
  script: join(ROOT, 'dist', 'servers', `${name}.js`),
  execArgv: SERVER_FLAGS,
});

/** Resolves `import.meta.dirname` to the folder of the source, where modules look for other files. */
const sourceDirname: Plugin = {
  name: 'source-dirname',
  transform: {
    filter: { code: 'import.meta.dirname' },
    handler: (code, id) => {
      const folder = JSON.stringify(`/../../${relative(ROOT, dirname(id))}`);
      const text = code.replaceAll('import.meta.dirname', `(import.meta.dirname+${folder})`);
      return { code: text, map: null };
    },
  },
};

/** Returns the build configuration that bundles each server into one file in a folder. Packages stay in node_modules. */
export const serverBuild = (folder: string): InlineConfig => ({
  configFile: false,
  root: ROOT,
  logLevel: 'warn',
  publicDir: false,
  plugins: [sourceDirname],
  build: {
    ssr: true,
    outDir: folder,
    emptyOutDir: true,
    target: 'node20',
    sourcemap: true,
    rolldownOptions: {
      input: { ...SERVERS, ...SETUP_PROGRAMS, ...OWN_THREADS },
      output: { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
    },
  },
});
