import { z } from 'zod';
import { createDocument, type ZodOpenApiPathsObject } from 'zod-openapi';
import { contracts } from '#shared/contracts.ts';
import { hasSuccessField, type Endpoint } from '#shared/endpoint.ts';
import { cookieName } from '#shared/server/cookie-names.ts';
import { SESSION_COOKIE } from '#shared/session/cookies.ts';

const failure = z
  .object({
    error: z.string(),
    code: z.string(),
    fields: z.record(z.string(), z.string()).optional(),
  })
  .meta({ id: 'Failure', description: 'The error format of every response' });

const failureOfSuccess = failure.extend({ success: z.literal(false).optional() }).meta({
  id: 'FailureOfSuccess',
  description: 'The error format of a call that says whether it succeeded',
});

const descriptions = new Map<string, Record<string, unknown>>();

/** Returns the OpenAPI 3.1 description of every contract. The first call takes half a second. */
export function describeApi(title: string, publicOrigin: string): Record<string, unknown> {
  const key = `${publicOrigin} ${title}`;
  const description = descriptions.get(key) ?? createDescription(title, publicOrigin);
  descriptions.set(key, description);
  return description;
}

function createDescription(title: string, publicOrigin: string): Record<string, unknown> {
  const paths: ZodOpenApiPathsObject = {};
  for (const [name, endpoint] of contracts) {
    const path = `/api${endpoint.path.replace(/:(\w+)/g, '{$1}')}`;
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: operation(name, endpoint) };
  }
  return createDocument({
    openapi: '3.1.0',
    info: { title, version: '1' },
    components: {
      securitySchemes: {
        session: { type: 'apiKey', in: 'cookie', name: cookieName(publicOrigin, SESSION_COOKIE) },
      },
    },
    paths,
  }) as unknown as Record<string, unknown>;
}

function operation(name: string, endpoint: Endpoint) {
  const { access, params, stream } = endpoint;
  const query = queryObject(endpoint.query);
  return {
    operationId: name,
    description: `Access: ${access}${endpoint.requiresRecentSignIn ? ', signed in recently' : ''}. Default error: '${endpoint.failure}'`,
    tags: [name.split('.')[0] ?? name],
    security: access === 'public' ? [] : [{ session: [] }],
    ...(params || query
      ? {
          requestParams: {
            ...(params instanceof z.ZodObject ? { path: params } : {}),
            ...(query ? { query } : {}),
          },
        }
      : {}),
    ...requestBody(endpoint),
    responses: {
      '200': {
        description: 'The answer',
        content:
          stream === 'file'
            ? { '*/*': { schema: { type: 'string' as const, format: 'binary' } } }
            : {
                [stream === 'events' ? 'text/event-stream' : 'application/json']: {
                  schema: endpoint.answer,
                },
              },
      },
      default: {
        description: 'A refusal',
        content: {
          'application/json': { schema: hasSuccessField(endpoint) ? failureOfSuccess : failure },
        },
      },
    },
  };
}

/** The fields of a query. A field that only some forms of a query have is optional. */
function queryObject(query: unknown): z.ZodObject | undefined {
  // Only the input of a transformed query is sent.
  if (query instanceof z.ZodPipe) return queryObject(query.in);
  if (query instanceof z.ZodObject) return query;
  if (!(query instanceof z.ZodDiscriminatedUnion)) return undefined;
  const forms = query.options.map((form) => (queryObject(form)?.shape ?? {}) as z.ZodRawShape);
  const names = new Set(forms.flatMap((form) => Object.keys(form)));
  return z.object(
    Object.fromEntries(
      [...names].map((name) => {
        const fields = forms.flatMap((form) => (form[name] ? [form[name] as z.ZodType] : []));
        const field = z.union(fields);
        return [name, fields.length < forms.length ? field.optional() : field];
      }),
    ),
  );
}

function requestBody({ body, upload }: Endpoint) {
  if (upload) {
    const bytes = z.string().meta({ format: 'binary' });
    const file = { [upload.field]: upload.isOptional ? bytes.optional() : bytes };
    const fields = body instanceof z.ZodObject ? body : z.object({});
    return {
      requestBody: {
        required: true,
        content: {
          'multipart/form-data': { schema: fields.safeExtend(file) },
          ...(body && upload.isOptional ? { 'application/json': { schema: body } } : {}),
        },
      },
    };
  }
  return body
    ? { requestBody: { required: true, content: { 'application/json': { schema: body } } } }
    : {};
}
