import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import type { z } from 'zod';
import type { Endpoint } from '#shared/endpoint.ts';
import { failureOf, HttpError, invalidInput } from '#shared/http/http-error.ts';
import { withTraceOf } from '#shared/server/log.ts';
import * as contract from '#shared/sync/contract.ts';
import { Refusal } from '#shared/sync/refusals.ts';
import { UnreadableDocument } from '../../core/documents/load-document.ts';
import { createHandlers, type HandlerServices } from './handlers.ts';

const BODY_MAX_BYTES = 2 * 1024 * 1024;
/** The API shows this to the user. */
const DOCUMENT_FULL = 'There’s no space left to save this';

interface Route {
  endpoint: Endpoint;
  pattern: RegExp;
  handle(input: {
    params: unknown;
    query: unknown;
    body: unknown;
    isAbandoned(): boolean;
  }): Promise<unknown>;
}

/** Creates the listener of the internal port: see shared/sync/contract.ts. */
export function createInternalListener(
  services: HandlerServices & { secrets: string[]; logger: Logger },
): RequestListener {
  const { secrets, logger } = services;
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
      /** Whether the caller has closed the connection. */
      isAbandoned(): boolean;
    }) => Promise<z.input<A>>,
  ): void => {
    const pattern = new RegExp(`^${endpoint.path.replace(/:(\w+)/g, '(?<$1>[^/]+)')}$`);
    routes.push({ endpoint, pattern, handle });
  };
  const handlers = createHandlers(services);
  serve(contract.createDocument, handlers.createDocument);
  serve(contract.readDocument, handlers.readDocument);
  serve(contract.changeDocument, handlers.changeDocument);
  serve(contract.setReaders, handlers.setReaders);
  serve(contract.retireDocument, handlers.retireDocument);
  serve(contract.succeedDocument, handlers.succeedDocument);
  serve(contract.listEndingEpochs, handlers.listEndingEpochs);
  serve(contract.endEpoch, handlers.endEpoch);
  serve(contract.removeDocument, handlers.removeDocument);
  serve(contract.publishCard, handlers.publishCard);
  serve(contract.disconnect, handlers.disconnect);
  serve(contract.ready, handlers.ready);
  serve(contract.getMetrics, handlers.metrics);

  return (request, response) => withTraceOf(request.headers, () => handleCall(request, response));

  function handleCall(request: IncomingMessage, response: ServerResponse): void {
    const startedAt = performance.now();
    const replyAndLog = (value: unknown): void => {
      reply(response, 200, value);
      if (request.method === 'GET') return;
      const ms = Math.round(performance.now() - startedAt);
      // What the call changed is durable now.
      logger.info({ method: request.method, ms }, 'internal call handled');
    };
    answer(routes, secrets, request, () => response.destroyed).then(
      (value) => replyAndLog(value),
      (error: unknown) => {
        const refusal = refusalOf(error);
        if (!refusal) logger.warn({ err: error, method: request.method }, 'internal call failed');
        const shown = refusal ?? new HttpError(503, 'Not available now');
        reply(response, shown.status, failureOf(shown));
      },
    );
  }
}

/** Returns null for unexpected errors. */
function refusalOf(error: unknown): HttpError | null {
  if (error instanceof Refusal) return new HttpError(413, DOCUMENT_FULL);
  if (error instanceof UnreadableDocument)
    return new HttpError(503, 'The document cannot be read now', {
      code: contract.ONE_UNAVAILABLE,
    });
  return error instanceof HttpError ? error : null;
}

async function answer(
  routes: Route[],
  secrets: string[],
  request: IncomingMessage,
  isAbandoned: () => boolean,
): Promise<unknown> {
  if (!isAuthorized(request.headers.authorization, secrets))
    throw new HttpError(401, 'Wrong secret');
  // The API's client puts every path below /api.
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
    return endpoint.answer.parse(await handle({ params, query, body, isAbandoned }));
  }
  throw new HttpError(404, 'Not found');
}

/** Compares in constant time, whatever the length. */
function isAuthorized(header: string | undefined, secrets: string[]): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return secrets.some((secret) =>
    timingSafeEqual(digest(header ?? ''), digest(`Bearer ${secret}`)),
  );
}

function parse(schema: z.ZodType | undefined, value: unknown): unknown {
  if (!schema) return undefined;
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw invalidInput(parsed.error);
}

async function readBody(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > BODY_MAX_BYTES) throw new HttpError(413, 'Too large');
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString());
  } catch {
    throw new HttpError(400, 'Invalid input');
  }
}

function reply(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}
