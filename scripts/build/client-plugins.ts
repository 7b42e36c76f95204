import type { Plugin } from 'vite';

/**
 * zod's schemas include code that writes JSON Schema: 7 kB gzip of the landing page's 120. Only the API uses it
 * (OpenAPI), so these functions do nothing in the client. Neither do those for recursive objects, 1 kB, which neither
 * JSON nor documents can contain: without a memoizer zod runs as `zod/mini` does.
 */
export const withoutUnusedZod: Plugin = {
  name: 'without-unused-zod',
  apply: 'build',
  transform: {
    filter: { id: /zod\/v4\/core\/(json-schema-processors|to-json-schema|memoizer)\.js$/ },
    handler: (code) =>
      [...code.matchAll(/^export (?:const|function) (\w+)/gm)]
        .map(([, name]) => `export const ${name} = () => undefined;`)
        .join('\n'),
  },
};

/** zod's English texts, 1 kB. They are never read, because `shared/zod-messages.ts` has a text for every issue. */
export const withoutZodTexts: Plugin = {
  name: 'without-zod-texts',
  apply: 'build',
  transform: {
    filter: { id: /zod\/v4\/locales\/en\.js$/ },
    handler: () => 'export default () => ({});',
  },
};

/**
 * cbor-x tests whether it may compile code, which our Content-Security-Policy forbids and reports. Its build without that is
 * CommonJS, which is bundled as a whole.
 */
export const withoutEval: Plugin = {
  name: 'without-eval',
  apply: 'build',
  transform: {
    filter: { id: /cbor-x\/decode\.js$/ },
    handler: (code) => code.replace("new Function('')", 'throw null'),
  },
};

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

/**
 * react-router's package names its development build for bundlers, whose warnings are 1 kB of the landing page's 99. Its parts for servers that
 * render pages and for routes that load data are 6 kB: forms, restored scroll positions, links that load pages in advance and errors of routes,
 * which the app has none of; its messages for developers are 1 kB more.
 */
export const routerInParts: Plugin = {
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
          /^function (PrefetchPageLinks|RemixRootDefaultErrorBoundary|DefaultErrorComponent|getInvalidPathError)\(/gm,
          'const $1 = () => null;\nfunction unused$1(',
        )
        .replace(
          /^function usePrefetchBehavior\(/m,
          'const usePrefetchBehavior = () => [false, null, {}];\nfunction unusedPrefetchBehavior(',
        )
        .replace('let dataRouterState = dataRouterOpts?.state;', 'const dataRouterState = void 0;')
        .replace(/^function warning\(/m, 'function warning() {}\nfunction unusedWarning(')
        .replace('isDataRoute ? useNavigateStable() :', '')
        .replaceAll(/(\binvariant\([^`"]*?,\s*(?:\/\/.*\s*)*)(?:`[^`]*`|"[^"]*")(?=\s*\))/g, "$1''")
        .replace(/^RenderErrorBoundary\.contextType = .+;$/m, '')
        .replaceAll(
          /^var (\w+ErrorBoundary) = (class extends React\d*\.Component \{[^]*?^\});$/gm,
          (_, name, boundary) =>
            name === 'RenderErrorBoundary'
              ? 'var RenderErrorBoundary = () => null;'
              : `var ${name} = /* @__PURE__ */ (() => ${boundary})();`,
        ),
  },
};
