import { beforeEach, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { contracts } from '#shared/contracts.ts';
import { endpoint as declare, type Endpoint } from '#shared/endpoint.ts';
import { CallError, caller } from '../../client/platform/http/api-client.ts';
import { readAnswer } from '../../client/platform/http/read-answer.ts';
import { samplesOf } from './sample.ts';
import { schemaOf } from './schemas.ts';

beforeEach(() => void vi.spyOn(console, 'warn').mockReset().mockReturnValue());

const TOMORROW = 'a value of tomorrow';

/** Yields each change that a newer server may make to a response, one at a time. */
function* changesOf(value: unknown): Generator {
  if (Array.isArray(value)) {
    for (const [i, one] of value.entries())
      for (const changed of changesOf(one)) yield value.with(i, changed);
  } else if (typeof value === 'object' && value !== null) {
    yield { ...value, added: { by: 'a newer server' } };
    for (const [name, field] of Object.entries(value)) {
      const { [name]: _, ...rest } = value as Record<string, unknown>;
      yield rest;
      for (const changed of changesOf(field)) yield { ...value, [name]: changed };
    }
  } else {
    yield TOMORROW;
    yield 4.5;
    yield null;
    yield { a: 'shape of tomorrow' };
  }
}

const answered = [...contracts].filter(([, { stream }]) => !stream);

describe('a response of a newer server', () => {
  test.each(answered)(
    'reads changed responses of a newer server to %s or reports them as unreadable',
    async (_, endpoint) => {
      const [sample] = samplesOf(schemaOf(endpoint.answer, 'output'));
      for (const sent of changesOf(sample)) {
        const call = caller({ fetch: async () => Response.json(sent) });
        const read = await call(endpoint, { params: {} }).catch((error: unknown) => error);
        const isRefused = read instanceof CallError;
        expect({ sent, refused: isRefused ? read.code : null }).toEqual({
          sent,
          refused: isRefused && endpoint.method === 'GET' ? 'unreadable' : null,
        });
      }
    },
  );
});

const kind = z.enum(['park', 'beach']);
const place = z.object({
  id: z.string(),
  kind,
  note: z.string().optional(),
  leash: z.enum(['on', 'off']).nullable(),
  tags: z.array(kind),
});
const list = declare('GET', '/places', {
  access: 'public',
  answer: z.object({ places: z.array(place), next: z.string().nullable() }),
  failure: 'Failed to load places',
});
const read = declare('GET', '/places', { ...list, answer: z.object({ place }) });
const green = { id: 'green', kind: 'park', leash: 'on', tags: ['park'] };
const ask = <A>(
  endpoint: Endpoint & { answer: z.ZodType<A> },
  sent: unknown,
  onUnexpected = vi.fn<() => void>(),
) =>
  caller({ fetch: async () => Response.json(sent), onUnexpected })(
    endpoint as Endpoint,
  ) as Promise<A>;

describe('an unexpected response', () => {
  test('drops an unexpected field, or else its array element, and keeps the rest', async () => {
    const sent = {
      places: [
        green,
        { ...green, id: 'field', leash: 'by day', note: { text: 'Oaks' } },
        { ...green, id: 'element', kind: 'quarry' },
        { ...green, id: 'inner', tags: ['quarry', 'beach'] },
        { ...green, id: 7 },
      ],
      next: { cursor: 'a' },
      more: true,
    };
    const onUnexpected = vi.fn<() => void>();
    expect(await ask(list, sent, onUnexpected)).toEqual({
      places: [
        green,
        { ...green, id: 'field', leash: null },
        { ...green, id: 'inner', tags: ['beach'] },
      ],
      next: null,
    });
    expect(onUnexpected).toHaveBeenCalledOnce();
    expect(console.warn).toHaveBeenCalledOnce();
  });

  test('ignores additional fields without reporting them', async () => {
    const onUnexpected = vi.fn<() => void>();
    const sent = { places: [{ ...green, owner: 'ann' }], next: null, more: true };
    expect(await ask(list, sent, onUnexpected)).toEqual({ places: [green], next: null });
    expect(onUnexpected).not.toHaveBeenCalled();
  });

  test('reports an unreadable response and suggests to reload the app', async () => {
    await expect(ask(read, { place: { ...green, kind: 'quarry' } })).rejects.toMatchObject({
      message: 'Failed to load places. Reload the app to get its latest version.',
      code: 'unreadable',
      failure: 'Failed to load places',
    });
  });

  test('a write succeeds when the server acknowledged it, even with an unexpected response', async () => {
    const write = declare('POST', '/places', read);
    const sent = { place: { ...green, kind: 'quarry' } };
    expect(await ask(write, sent)).toEqual(sent);
  });

  test('a write fails when the response is not from the API', async () => {
    const page = async () => new Response('<p>Sign in to the Wi-Fi</p>', { status: 200 });
    const write = declare('POST', '/places', read);
    await expect(caller({ fetch: page })(write)).rejects.toMatchObject({ code: 'failed' });
  });

  test('does not modify the response that it reads', () => {
    const sent = { places: [{ ...green, kind: 'quarry' }], next: null };
    const before = structuredClone(sent);
    expect(readAnswer(list.answer, sent)?.leftOut).toEqual(['places.0.kind']);
    expect(sent).toEqual(before);
    expect(readAnswer(list.answer, 'a text')).toBeNull();
  });
});

test('the samples match their schemas', () => {
  for (const [name, { answer }] of answered)
    for (const sample of samplesOf(schemaOf(answer, 'output'))) {
      const { error } = answer.safeParse(sample);
      expect({ name, issues: error?.issues }).toEqual({ name, issues: undefined });
    }
});
