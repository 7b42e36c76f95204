import { z } from 'zod';
import type { Endpoint } from '#shared/endpoint.ts';
import { samplesOf, type Schema } from './sample.ts';

/** Requests of devices with a released version of the app, and how they read responses. */
export interface ReleasedContract {
  method: string;
  path: string;
  /** Examples of valid input. */
  sent: Partial<Record<'params' | 'query' | 'body', unknown[]>>;
  /** Null for streams and files. */
  answer: Schema | null;
}

const SAMPLES_MAX = 6;

export function schemaOf(schema: z.ZodType, io: 'input' | 'output'): Schema {
  return z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as Schema;
}

/** Returns the serializable description of a contract. */
export function describeContract(endpoint: Endpoint): ReleasedContract {
  const sent: ReleasedContract['sent'] = {};
  for (const part of ['params', 'query', 'body'] as const) {
    const schema = endpoint[part];
    if (!schema) continue;
    const valid = samplesOf(schemaOf(schema, 'input')).filter(
      (one) => schema.safeParse(one).success,
    );
    sent[part] = valid.slice(0, SAMPLES_MAX);
  }
  const answer = endpoint.stream ? null : schemaOf(endpoint.answer, 'output');
  return { method: endpoint.method, path: endpoint.path, sent, answer };
}
