import { pageHeaders, type Elsewhere } from './headers.ts';
import { CACHED_FOREVER, CACHE_CONTROL, TYPES } from './static.ts';

/**
 * What the Caddyfile imports: the headers that pages and files get from the gateway of `npm start`.
 */
export function caddySnippet(publicOrigin: string, elsewhere: Elsewhere): string {
  const headers = pageHeaders(new URL(publicOrigin).host, elsewhere);
  return [
    'header {',
    ...headers.map(([name, value]) => `\t${name} \`${value}\``),
    '}',
    // Caddy applies headers for all paths last, so that both have a matcher.
    '@immutable {',
    `\tpath_regexp ${CACHED_FOREVER.source}`,
    '\tfile',
    '}',
    '@checked not {',
    `\tpath_regexp ${CACHED_FOREVER.source}`,
    '\tfile',
    '}',
    `header @immutable cache-control \`${CACHE_CONTROL.immutable}\``,
    `header @checked cache-control \`${CACHE_CONTROL.checked}\``,
    ...Object.entries(TYPES).flatMap(([extension, type]) => [
      `@type${extension.replace('.', '_')} path *${extension}`,
      `header @type${extension.replace('.', '_')} content-type \`${type}\``,
    ]),
    '',
  ].join('\n');
}
