import { dirname, join, relative } from 'node:path';
import type { InlineConfig, Plugin } from 'vite';

const ROOT = join(import.meta.dirname, '../..');

/** The servers, which run as built, and where their source begins. */
export const SERVERS = {
  api: 'api/main.ts',
  'sync-server': 'sync-server/main.ts',
  front: 'gateway/main.ts',
};
export type ServerName = keyof typeof SERVERS;
/** What docker-compose.yml runs before them, built with them. */
const BEFORE = {
  'caddy-headers': 'gateway/caddy-headers.ts',
  'mongodb-init': 'scripts/docker/mongodb-init.ts',
};

/** How to start a server as it was last built: `fork(script, { execArgv })`. */
export const builtServer = (name: ServerName) => ({
  script: join(ROOT, 'dist', 'servers', `${name}.js`),
  execArgv: ['--enable-source-maps'],
});

/** A module that looks for files beside it finds them beside its source. */
const besideTheSource: Plugin = {
  name: 'beside-the-source',
  transform: {
    filter: { code: 'import.meta.dirname' },
    handler: (code, id) => {
      const folder = JSON.stringify(`/../../${relative(ROOT, dirname(id))}`);
      const text = code.replaceAll('import.meta.dirname', `(import.meta.dirname+${folder})`);
      return { code: text, map: null };
    },
  },
};

/** Makes one file of each server's own modules; packages stay where npm put them. */
export const serversInto = (folder: string): InlineConfig => ({
  configFile: false,
  root: ROOT,
  logLevel: 'warn',
  publicDir: false,
  plugins: [besideTheSource],
  build: {
    ssr: true,
    outDir: folder,
    emptyOutDir: true,
    target: 'node20',
    sourcemap: true,
    rolldownOptions: {
      input: { ...SERVERS, ...BEFORE },
      output: { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
    },
  },
});
