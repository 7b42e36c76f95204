import type { Plugin } from 'vite';

/** The modules of a package in `node_modules`, and how they are changed. */
type Edit = [modules: RegExp, edit: (code: string) => string];

/**
 * Changes modules of a package in the built app. The build fails where an edit changes nothing: an upgrade of the package must not undo
 * it unnoticed.
 */
function editedPackage(name: string, edits: readonly Edit[]): Plugin {
  const unused = new Set(edits);
  return {
    name,
    apply: 'build',
    transform: {
      filter: { id: edits.map(([modules]) => modules) },
      handler: (code, id) =>
        edits.reduce((before, edit) => {
          const [modules, change] = edit;
          const after = modules.test(id) ? change(before) : before;
          if (after !== before) unused.delete(edit);
          return after;
        }, code),
    },
    buildEnd(error) {
      if (error) return;
      for (const edit of unused)
        throw new Error(
          `${name}: edit ${edits.indexOf(edit) + 1} changes nothing in ${edit[0].source}: ${edit[1].toString()}`,
        );
    },
  };
}

/** A plugin for workers, which need not import what it changes. */
const optional = (plugin: Plugin): Plugin => ({ ...plugin, buildEnd() {} });

/** Replaces all functions of a module by ones that do nothing. */
const withoutCode = (code: string): string =>
  [...code.matchAll(/^export (?:const|function) (\w+)/gm)]
    .map(([, name]) => `export const ${name} = () => undefined;`)
    .join('\n');

/**
 * zod's schemas include code that writes JSON Schema: 6 kB gzip of the 64 that forms and members load first, and of the search worker. Only
 * the API uses it (OpenAPI), so these functions do nothing in the client. Neither do those for recursive objects, 1 kB, which neither
 * JSON nor documents can contain: without a memoizer zod runs as `zod/mini` does.
 * Nor are its English texts read, 1 kB, because `shared/zod-messages.ts` has a text for every issue.
 */
export const withoutUnusedZod = editedPackage('without-unused-zod', [
  [/zod\/v4\/core\/json-schema-processors\.js$/, withoutCode],
  [/zod\/v4\/core\/to-json-schema\.js$/, withoutCode],
  [/zod\/v4\/core\/memoizer\.js$/, withoutCode],
  [/zod\/v4\/locales\/en\.js$/, () => 'export default () => ({});'],
]);
export const withoutUnusedZodInWorkers = optional(withoutUnusedZod);

/**
 * cbor-x tests whether it may compile code, which our Content-Security-Policy forbids and reports. Its build without that is
 * CommonJS, which is bundled as a whole.
 */
export const withoutEval = editedPackage('without-eval', [
  [/cbor-x\/decode\.js$/, (code) => code.replace("new Function('')", 'throw null')],
]);

/**
 * Inlines the styles into the page, because a separate request takes a slow phone as long as reading them. In
 * development they stay a file, which is replaced without reloading the page.
 */
export const stylesInside: Plugin = {
  name: 'styles-inside',
  apply: 'build',
  transformIndexHtml: {
    order: 'pre',
    handler(html) {
      const page = html.replace(
        /<link rel="stylesheet" href="\/(.+?)" \/>/,
        "<style>@import './$1';</style>",
      );
      if (page === html) throw new Error('the page does not say where its styles are');
      return page;
    },
  },
};

/** Loads the landing page's chunk beside the first one: a slow network takes half a second for each request. */
export const landingPreloaded: Plugin = {
  name: 'landing-preloaded',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler(_html, { bundle = {} }) {
      const chunk = Object.values(bundle).find(({ name }) => name === 'public');
      if (!chunk) throw new Error('there is no chunk named public');
      const attrs = { rel: 'modulepreload', crossorigin: true, href: `/${chunk.fileName}` };
      return [{ tag: 'link', attrs, injectTo: 'head' }];
    },
  },
};

/** The chunks whose functions are mostly called while the dashboard starts. */
const CALLED_ON_LOAD = ['index', 'frame', 'dashboard'];

/**
 * Asks V8 to compile all functions of a chunk on another thread, while it reads the file. Otherwise it compiles each one
 * on the main thread at its first call, and again at every start: Chromium does not use its code cache for modules.
 */
export const compileHints: Plugin = {
  name: 'compile-hints',
  apply: 'build',
  generateBundle: {
    order: 'post',
    handler(_, bundle) {
      const called = Object.values(bundle).flatMap((file) =>
        file.type === 'chunk' && CALLED_ON_LOAD.includes(file.name) ? [file] : [],
      );
      if (called.length !== CALLED_ON_LOAD.length) throw new Error('a chunk has another name');
      for (const chunk of called) chunk.code = `//# allFunctionsCalledOnLoad\n${chunk.code}`;
    },
  },
};

/** The modules of react-router's production build. */
const ROUTER = /react-router\/dist\/production\/chunk-\w+\.mjs$/;

const ROUTER_EDITS: ((code: string) => string)[] = [
  // Without them, what is not used is left out.
  (code) => code.replaceAll(/^\w+\.displayName = .+;$/gm, ''),
  (code) =>
    code.replaceAll(
      /^var (\w+) = (React\d*\.(?:forwardRef|memo)\()/gm,
      'var $1 = /* @__PURE__ */ $2',
    ),
  ...['PrefetchPageLinks', 'getInvalidPathError'].map(
    (name) => (code: string) =>
      code.replace(
        new RegExp(String.raw`^function ${name}\(`, 'm'),
        `const ${name} = () => null;\nfunction unused${name}(`,
      ),
  ),
  (code) =>
    code.replace(
      /^function usePrefetchBehavior\(/m,
      'const usePrefetchBehavior = () => [false, null, {}];\nfunction unusedPrefetchBehavior(',
    ),
  (code) => code.replace(/^function warning\(/m, 'function warning() {}\nfunction unusedWarning('),
  (code) => code.replace('isDataRoute ? useNavigateStable() :', ''),
  (code) =>
    code.replaceAll(
      /(\binvariant\([^`"]*?,\s*(?:\/\/.*\s*)*)(?:`[^`]*`|"[^"]*")(?=\s*\))/g,
      "$1''",
    ),
  (code) => code.replaceAll(/^\w+ErrorBoundary\.contextType = .+;$/gm, ''),
];

/**
 * react-router's package names its development build for bundlers, whose warnings are 1 kB of the landing page's 89. What only data routers
 * and `<Routes>` need is 6 kB: the app matches its routes itself. Its messages for developers are 1 kB more. Without any one of these edits,
 * the page has between 170 bytes and 4 kB more.
 */
export const routerInParts: Plugin = {
  ...editedPackage(
    'router-in-parts',
    ROUTER_EDITS.map((edit) => [ROUTER, edit]),
  ),
  enforce: 'pre',
  async resolveId(source, importer, options) {
    if (!/^react-router(\/dom)?$/.test(source)) return null;
    const resolved = await this.resolve(source, importer, { ...options, skipSelf: true });
    return resolved?.id.replace('/dist/development/', '/dist/production/') ?? null;
  },
};
