import sharp from 'sharp';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { createBlock } from '#shared/blocks/contract.ts';
import { uploadDogImage } from '#shared/dogs/contract.ts';
import { startTestApi, type TestApi, type TestPerson } from '../api.ts';
import { makeDog, makeProfile } from '../factories.ts';
import { unzip } from './unzip.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi(inject('mongodbUri'));
});
afterAll(() => api.close());

const ask = ({ jar }: TestPerson) => jar.fetch(`${api.origin}/api/account/export`);

async function archiveOf(person: TestPerson): Promise<Map<string, Buffer>> {
  const response = await ask(person);
  expect(response.status).toBe(200);
  const archive = Buffer.from(await response.arrayBuffer());
  expect(response.headers.get('content-length')).toBe(String(archive.length));
  expect(response.headers.get('content-type')).toBe('application/zip');
  expect(response.headers.get('content-disposition')).toMatch(
    /^attachment; filename="leashwise-\d{4}-\d\d-\d\d\.zip"$/,
  );
  expect(response.headers.get('cache-control')).toBe('no-store');
  return unzip(archive);
}

const jsonIn = (files: Map<string, Buffer>, name: string): unknown =>
  JSON.parse(files.get(name)?.toString() ?? 'null');

test('an export contains all data of the user and nothing of anyone else', async () => {
  const alex = await api.as('alex@example.com');
  const sam = await api.as('sam@example.com');
  await makeProfile(alex, { display_name: 'Alex' });
  await makeProfile(sam, { display_name: 'Sam the Walker' });
  const { id } = await makeDog(alex, { name: 'Rex' });
  const pixel = { width: 8, height: 8, channels: 3 as const, background: '#a05' };
  const file = new Blob([await sharp({ create: pixel }).png().toBuffer()]);
  const { dog } = await alex.call(uploadDogImage, { params: { id }, file });
  const reason = 'Too loud';
  await alex.call(createBlock, { body: { blocked_user_id: sam.user.id, reason } });

  const files = await archiveOf(alex);
  expect(jsonIn(files, 'user.json')).toMatchObject({
    id: alex.user.id,
    email: 'alex@example.com',
    sessions: [{}],
  });
  expect(jsonIn(files, 'documents.json')).toMatchObject({
    card: { display_name: 'Alex', dogs: { [id]: { name: 'Rex' } } },
    account: { kind: 'account' },
    contacts: { people: { [sam.user.id]: { name: 'Sam the Walker' } } },
  });
  expect(jsonIn(files, 'friends.json')).toMatchObject([
    { name: 'Sam the Walker', relationship: 'blocked', message: reason },
  ]);
  expect(jsonIn(files, 'access.json')).toMatchObject({ uses: [{}] });
  expect(jsonIn(files, 'proximity_events.json')).toEqual([]);
  const picture = files.get(`images/${dog.image_key}.webp`);
  expect((await sharp(picture).metadata()).width).toBe(8);

  const others = await archiveOf(sam);
  expect([...others.keys()].filter((path) => path.includes('/'))).toEqual([]);
  expect(jsonIn(others, 'friends.json')).toEqual([]);
  expect(Buffer.concat([...others.values()]).toString()).not.toContain(reason);
});

test('exports the data of a user without access or documents', async () => {
  await api.stopSync();
  const outside = await api.as('outside@example.com', { access: false });
  const files = await archiveOf(outside);
  expect(jsonIn(files, 'user.json')).toMatchObject({ email: 'outside@example.com' });
  expect(jsonIn(files, 'documents.json')).toEqual({});
  await api.startSync();
});
