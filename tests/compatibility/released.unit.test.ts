import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { contracts } from '#shared/contracts.ts';
import type { Endpoint } from '#shared/endpoint.ts';
import { CallError, caller } from '../../client/platform/http/api-client.ts';
import { samplesOf } from './sample.ts';
import { schemaOf, type ReleasedContract } from './schemas.ts';

/** Reads for which the app has to be reloaded, with the reason. */
const NEWER_SCREENS: Record<string, string> = {
  'accessGateAdmin.getCode': 'the released admin panel doesn’t know the codes of invitations',
  'moderationAdmin.getReport': 'the released app knows reports about messages only',
};

const released: [string, ReleasedContract][] = Object.entries(
  JSON.parse(readFileSync(join(import.meta.dirname, 'released-contracts.json'), 'utf8')) as Record<
    string,
    ReleasedContract
  >,
);
/** The schema as the app reads by it: it ignores fields that it doesn't know, which JSON Schema can't say of an output. */
function withUnknownFields(answer: unknown): Parameters<typeof z.fromJSONSchema>[0] {
  return JSON.parse(JSON.stringify(answer), (key, value: unknown) =>
    key === 'additionalProperties' && value === false ? undefined : value,
  ) as Parameters<typeof z.fromJSONSchema>[0];
}

const today = (name: string): Endpoint => {
  const endpoint = contracts.get(name);
  if (!endpoint) throw new Error(`${name} does not exist`);
  return endpoint;
};

describe('a device with the released version of the app', () => {
  test.each(released)(
    'keeps the method and path of %s for the released app',
    (name, { method, path }) => {
      expect({ method: today(name).method, path: today(name).path }).toEqual({ method, path });
    },
  );

  test.each(released)('accepts what the released app sends to %s', (name, { sent }) => {
    for (const part of ['params', 'query', 'body'] as const)
      for (const one of sent[part] ?? []) {
        const { error } = today(name)[part]?.safeParse(one) ?? {};
        expect({ part, one, issues: error?.issues }).toEqual({ part, one, issues: undefined });
      }
  });

  test.each(released.filter(([, { answer }]) => answer))(
    'the released app can read the current response of %s',
    async (name, { answer }) => {
      vi.spyOn(console, 'warn').mockReturnValue();
      const schema = z.fromJSONSchema(withUnknownFields(answer));
      const endpoint: Endpoint = { ...today(name), answer: schema };
      const unread: unknown[] = [];
      for (const sent of samplesOf(schemaOf(today(name).answer, 'output'))) {
        const call = caller({ fetch: async () => Response.json(sent) });
        const read = await call(endpoint, { params: {} }).catch((error: unknown) => error);
        if (read instanceof CallError) unread.push(sent);
      }
      expect({ isUnread: unread.length > 0, unread: unread[0] }).toMatchObject({
        isUnread: name in NEWER_SCREENS,
      });
    },
  );
});
