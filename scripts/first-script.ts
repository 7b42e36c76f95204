import { join } from 'node:path';
import { build, type Plugin } from 'vite';

const FIRST = 'client/snapshot/first.ts';

/**
 * Has the page begin with a script inside it, which draws what there is before the app (`client/snapshot`) and then begins
 * the app. As a file of its own it would come one round of the network later, and the app after it.
 */
export const firstScript: Plugin = {
  name: 'first-script',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    async handler(html) {
      const files: string[] = [];
      const page = html.replaceAll(
        /<(?:script type="module"|link rel="modulepreload") [^>]*?(?:src|href)="([^"]+)">(?:<\/script>)?\s*/g,
        (_, file: string) => {
          files.push(file);
          return '';
        },
      );
      if (files.length === 0) throw new Error('the page does not say where the app is');
      const first = `<script id="first" data-app="${files.join(' ')}">${await codeOf(FIRST)}</script>`;
      return page
        .replace('</title>', '$&\n    <link rel="expect" href="#first" blocking="render">')
        .replace('</body>', () => `${first}\n  </body>`);
    },
  },
};

async function codeOf(entry: string): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: 'error',
    build: {
      write: false,
      target: 'es2022',
      lib: { entry: join(import.meta.dirname, '..', entry), formats: ['iife'], name: 'first' },
    },
  });
  const chunk = Array.isArray(built) ? built[0]?.output[0] : null;
  if (!chunk) throw new Error(`nothing came of ${entry}`);
  return chunk.code.trim().replaceAll('</', String.raw`<\/`);
}
