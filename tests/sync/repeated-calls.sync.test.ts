import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { readCard } from '#shared/profile/document.ts';
import * as contract from '#shared/sync/contract.ts';
import { startTestSync, type TestSync } from '../sync.ts';

let sync: TestSync;
beforeAll(async () => {
  sync = await startTestSync(inject('mongodbUri'), { child: true });
});
afterAll(() => sync.close());

const newActor = () => randomBytes(16).toString('hex');
const dog = (id: string) => ({
  id,
  name: 'Rex',
  sound_type: 'leash_on',
  created_at: '2026-11-25T00:00:00.000Z',
});

async function card() {
  const documentId = await sync.document(await sync.user(), 'card');
  const params = { documentId };
  return {
    documentId,
    change: (name: string, input: unknown, actors?: string[]) =>
      sync.call(contract.changeDocument, { params, body: { name, input, actors } }),
    async dogs() {
      const { value } = await sync.call(contract.readDocument, { params });
      return readCard(value).dogs.map(({ id }) => id);
    },
  };
}

test('a repeated call does not bring back a dog that was removed in between', async () => {
  const { change, dogs } = await card();
  const [first, second, third] = [newActor(), newActor(), newActor()];
  await change('dog.add', dog('rex'), [first]);
  await change('dog.remove', { id: 'rex' }, [newActor()]);
  await change('dog.add', dog('rex'), [first, second]);
  expect(await dogs()).toEqual([]);
  await change('dog.add', dog('lola'), [newActor(), third]);
  expect(await dogs()).toEqual(['lola']);
});

test('a server that was frozen does not carry out a call whose caller has hung up', async () => {
  const { documentId, change, dogs } = await card();
  await change('dog.add', dog('rex'));
  const { pid } = sync.child!;
  process.kill(pid!, 'SIGSTOP');
  const given = fetch(`${sync.internalOrigin}/documents/${documentId}/changes`, {
    method: 'POST',
    headers: { authorization: 'Bearer a secret of the tests', 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'dog.add', input: dog('late') }),
    signal: AbortSignal.timeout(300),
  });
  await expect(given).rejects.toMatchObject({ name: 'TimeoutError' });
  process.kill(pid!, 'SIGCONT');
  await wait(500);
  expect(await dogs()).toEqual(['rex']);
});
