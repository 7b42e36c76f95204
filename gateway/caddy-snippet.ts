import { pageHeaders, type ExternalSources } from './headers.ts';
import { CACHED_FOREVER, CACHE_CONTROL, TYPES } from './static.ts';

/** Returns the snippet that the Caddyfile imports: the same headers that the gateway of `npm start` sets. */
export function caddySnippet(publicOrigin: string, sources: ExternalSources): string {
  const headers = pageHeaders(new URL(publicOrigin).host, sources);
  return [
    'header {',
    ...headers.map(([name, value]) => `\t${name} \`${value}\``),
    '}',
    // Both have a matcher, because Caddy applies headers without one last.
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
