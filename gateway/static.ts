import { createHash } from 'node:crypto';
import { readFileSync, readdirSync, statSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { extname, join, relative, sep } from 'node:path';
import { pageHeaders, type ExternalSources } from './headers.ts';

interface StaticFile {
  type: string;
  etag: string;
  bytes: Buffer;
  immutable: boolean;
  /** Compressed variants, `br` and `gzip`. */
  encoded: { encoding: string; bytes: Buffer }[];
}

/** Media types by file extension. */
export const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.webmanifest': 'application/manifest+json',
  '.wasm': 'application/wasm',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.webp': 'image/webp',
  '.txt': 'text/plain; charset=utf-8',
  '.woff2': 'font/woff2',
};
/** Files that have a hash of their content in their names. */
export const CACHED_FOREVER = /^\/assets\/.*-[\w-]{8,}\.\w+$/;
export const CACHE_CONTROL = {
  immutable: 'public, max-age=31536000, immutable',
  checked: 'no-cache',
};
const ENCODINGS = [
  { encoding: 'br', suffix: '.br' },
  { encoding: 'gzip', suffix: '.gz' },
] as const;

/**
 * Serves a built client from memory, so no path can lead out of the folder, and pages that are open still find their files
 * after another build. Addresses of the client's routes get index.html.
 * @throws when the folder has no build
 */
export function staticFiles(
  folder: string,
  sources: ExternalSources,
): (request: IncomingMessage, response: ServerResponse) => void {
  const files = readFiles(folder);
  const index = files.get('/index.html');
  if (!index) throw new Error(`No built client in ${folder}. Run \`npm run build\`.`);

  return (request, response) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.writeHead(405, { allow: 'GET, HEAD' }).end();
      return;
    }
    const path = pathOf(request.url ?? '/');
    const file = files.get(path) ?? (isPage(path) ? index : undefined);
    if (!file) {
      response.writeHead(404, {
        'content-type': 'text/plain',
        'x-content-type-options': 'nosniff',
      });
      response.end('Not found\n');
      return;
    }
    for (const [name, value] of pageHeaders(request.headers.host, sources))
      response.setHeader(name, value);
    send(file, request, response);
  };
}

function send(file: StaticFile, request: IncomingMessage, response: ServerResponse): void {
  const accepted = acceptedEncodings(request.headers['accept-encoding']);
  const chosen = file.encoded.find(({ encoding }) => accepted.has(encoding));
  const etag = chosen ? `"${file.etag}-${chosen.encoding}"` : `"${file.etag}"`;
  response.setHeader('vary', 'accept-encoding');
  response.setHeader('etag', etag);
  response.setHeader(
    'cache-control',
    file.immutable ? CACHE_CONTROL.immutable : CACHE_CONTROL.checked,
  );
  if (request.headers['if-none-match']?.split(/,\s*/).includes(etag)) {
    response.writeHead(304).end();
    return;
  }
  response.setHeader('content-type', file.type);
  const { bytes } = chosen ?? file;
  response.setHeader('content-length', bytes.length);
  if (chosen) response.setHeader('content-encoding', chosen.encoding);
  response.writeHead(200).end(request.method === 'HEAD' ? undefined : bytes);
}

function readFiles(folder: string): Map<string, StaticFile> {
  const files = new Map<string, StaticFile>();
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const paths = new Set(names.map((name) => join(folder, name)));
  for (const path of paths) {
    const isVariant = /\.(br|gz)$/.test(path) && paths.has(path.replace(/\.(br|gz)$/, ''));
    if (isVariant || path.endsWith('.map') || !statSync(path).isFile()) continue;
    const address = `/${relative(folder, path).split(sep).join('/')}`;
    const bytes = readFileSync(path);
    files.set(address, {
      type: TYPES[extname(path)] ?? 'application/octet-stream',
      etag: createHash('sha256').update(bytes).digest('base64url').slice(0, 22),
      bytes,
      immutable: CACHED_FOREVER.test(address),
      encoded: ENCODINGS.flatMap(({ encoding, suffix }) =>
        paths.has(path + suffix) ? [{ encoding, bytes: readFileSync(path + suffix) }] : [],
      ),
    });
  }
  return files;
}

/** Returns the decoded path of a URL, without its query. */
function pathOf(url: string): string {
  const path = url.split(/[?#]/, 1)[0] ?? '/';
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** Whether a path is a route of the client: those have no file extension. */
const isPage = (path: string): boolean => !path.startsWith('/assets/') && extname(path) === '';

function acceptedEncodings(header: string | string[] | undefined): Set<string> {
  const accepted = new Set<string>();
  for (const item of String(header ?? '').split(',')) {
    const [name, ...parameters] = item
      .trim()
      .toLowerCase()
      .split(/\s*;\s*/);
    if (name && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter))) accepted.add(name);
  }
  return accepted;
}
