import { createHash } from 'node:crypto';
import { createReadStream, readFileSync, readdirSync, statSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { extname, join, relative, sep } from 'node:path';
import { pipeline } from 'node:stream';
import { pageHeaders, type Elsewhere } from './headers.ts';

interface StaticFile {
  path: string;
  type: string;
  etag: string;
  bytes: number;
  immutable: boolean;
  /** Ready-made beside it: `br` and `gzip`, with their sizes. */
  encoded: { encoding: string; path: string; bytes: number }[];
}

const TYPES: Record<string, string> = {
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
const ENCODINGS = [
  { encoding: 'br', suffix: '.br' },
  { encoding: 'gzip', suffix: '.gz' },
] as const;

/**
 * Serves a built client: only what lies in the folder when this is called has an address, so no path can
 * lead out of it. Any other page address is the client's own, and gets index.html.
 */
export function staticFiles(
  folder: string,
  elsewhere: Elsewhere,
): (request: IncomingMessage, response: ServerResponse) => void {
  const files = listed(folder);
  const index = files.get('/index.html');
  if (!index) throw new Error(`no built client in ${folder}: run \`npm run build\``);

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
    for (const [name, value] of pageHeaders(request, elsewhere)) response.setHeader(name, value);
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
    file.immutable ? 'public, max-age=31536000, immutable' : 'no-cache',
  );
  if (request.headers['if-none-match']?.split(/,\s*/).includes(etag)) {
    response.writeHead(304).end();
    return;
  }
  response.setHeader('content-type', file.type);
  response.setHeader('content-length', chosen?.bytes ?? file.bytes);
  if (chosen) response.setHeader('content-encoding', chosen.encoding);
  response.writeHead(200);
  if (request.method === 'HEAD') response.end();
  else pipeline(createReadStream(chosen?.path ?? file.path), response, () => {});
}

function listed(folder: string): Map<string, StaticFile> {
  const files = new Map<string, StaticFile>();
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const paths = new Set(names.map((name) => join(folder, name)));
  for (const path of paths) {
    const ready = /\.(br|gz)$/.test(path) && paths.has(path.replace(/\.(br|gz)$/, ''));
    if (ready || path.endsWith('.map') || !statSync(path).isFile()) continue;
    const address = `/${relative(folder, path).split(sep).join('/')}`;
    files.set(address, {
      path,
      type: TYPES[extname(path)] ?? 'application/octet-stream',
      etag: createHash('sha256').update(readFileSync(path)).digest('base64url').slice(0, 22),
      bytes: statSync(path).size,
      immutable: /^\/assets\/.*-[\w-]{8,}\.\w+$/.test(address),
      encoded: ENCODINGS.flatMap(({ encoding, suffix }) =>
        paths.has(path + suffix)
          ? [{ encoding, path: path + suffix, bytes: statSync(path + suffix).size }]
          : [],
      ),
    });
  }
  return files;
}

/** The address without its query, unescaped; nothing that cannot be unescaped is a file. */
function pathOf(url: string): string {
  const path = url.split(/[?#]/, 1)[0] ?? '/';
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** A page of the client's own has no file extension. */
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
