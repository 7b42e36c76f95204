import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import type { z } from 'zod';
import type { Endpoint, Failure } from '#shared/endpoint.ts';
import * as contract from '#shared/sync/contract.ts';
import { ChunkError } from './chunk-guard.ts';
import { internalCalls, type InternalParts } from './internal-calls.ts';
import { invalid, Refusal } from './refusal.ts';

const BODY_MAX_BYTES = 2 * 1024 * 1024;
/** A person reads this, by way of the api. */
const DOCUMENT_FULL = 'There is no room left to save this';

interface Route {
  endpoint: Endpoint;
  pattern: RegExp;
  handle(input: { params: unknown; query: unknown; body: unknown }): Promise<unknown>;
}

/** Answers the internal port: see shared/sync/contract.ts. */
export function internalListener(
  parts: InternalParts & { secrets: string[]; logger: Logger },
): RequestListener {
  const { secrets, logger } = parts;
  const routes: Route[] = [];
  const serve = <
    P extends z.ZodType,
    Q extends z.ZodType,
    B extends z.ZodType,
    A extends z.ZodType,
  >(
    endpoint: Endpoint<P, Q, B, A>,
    handle: (input: {
      params: z.output<P>;
      query: z.output<Q>;
      body: z.output<B>;
    }) => Promise<z.input<A>>,
  ): void => {
    const pattern = new RegExp(`^${endpoint.path.replace(/:(\w+)/g, '(?<$1>[^/]+)')}$`);
    routes.push({ endpoint, pattern, handle });
  };
  const calls = internalCalls(parts);
  serve(contract.createDocument, calls.createDocument);
  serve(contract.readDocument, calls.readDocument);
  serve(contract.changeDocument, calls.changeDocument);
  serve(contract.setReaders, calls.setReaders);
  serve(contract.retireDocument, calls.retireDocument);
  serve(contract.removeDocument, calls.removeDocument);
  serve(contract.publishCard, calls.publishCard);
  serve(contract.disconnect, calls.disconnect);
  serve(contract.ready, calls.ready);
  serve(contract.figures, calls.figures);

  return (request, response) => {
    answer(routes, secrets, request).then(
      (value) => reply(response, 200, value),
      (error: unknown) => {
        const refusal = refusalOf(error);
        if (!refusal) logger.warn({ err: error, method: request.method }, 'internal call failed');
        const failure: Failure = {
          error: refusal?.message ?? 'Not available now',
          code: refusal?.code ?? 'unavailable',
          ...(refusal?.fields && { fields: refusal.fields }),
        };
        reply(response, refusal?.status ?? 503, failure);
      },
    );
  };
}

/** What is refused on purpose; null for what went wrong here. */
function refusalOf(error: unknown): Refusal | null {
  if (error instanceof ChunkError) return new Refusal(413, 'too_large', DOCUMENT_FULL);
  return error instanceof Refusal ? error : null;
}

async function answer(
  routes: Route[],
  secrets: string[],
  request: IncomingMessage,
): Promise<unknown> {
  if (!isAuthorised(request.headers.authorization, secrets))
    throw new Refusal(401, 'signed_out', 'Wrong secret');
  // The api's helper puts every path below /api.
  const url = new URL(request.url ?? '/', 'http://localhost');
  const path = url.pathname.replace(/^\/api(?=\/)/, '');
  for (const { endpoint, pattern, handle } of routes) {
    const match = endpoint.method === request.method ? pattern.exec(path) : null;
    if (!match) continue;
    const groups = Object.entries(match.groups ?? {}).map(([name, value]) => [
      name,
      decodeURIComponent(value),
    ]);
    const params = parse(endpoint.params, Object.fromEntries(groups));
    const query = parse(endpoint.query, Object.fromEntries(url.searchParams));
    const body = parse(endpoint.body, endpoint.body && (await readBody(request)));
    return endpoint.answer.parse(await handle({ params, query, body }));
  }
  throw new Refusal(404, 'not_found', 'Not found');
}

/** Compared in constant time, whatever its length. */
function isAuthorised(header: string | undefined, secrets: string[]): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return secrets.some((secret) =>
    timingSafeEqual(digest(header ?? ''), digest(`Bearer ${secret}`)),
  );
}

function parse(schema: z.ZodType | undefined, value: unknown): unknown {
  if (!schema) return undefined;
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw invalid(parsed.error);
}

async function readBody(request: IncomingMessage): Promise<unknown> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    bytes += part.length;
    if (bytes > BODY_MAX_BYTES) throw new Refusal(413, 'too_large', 'Too large');
    parts.push(part);
  }
  try {
    return JSON.parse(Buffer.concat(parts).toString());
  } catch {
    throw new Refusal(400, 'invalid_input', 'Invalid input');
  }
}

function reply(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}
