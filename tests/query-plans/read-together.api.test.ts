import type { Db } from 'mongodb';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import {
  findOneTogether,
  findTogether,
  readByKeys,
  readTogether,
} from '../../api/platform/read-together.ts';
import { startTestApi, type TestApi } from '../api.ts';
import { monitoredUri, onCommands } from './recorded-queries.ts';

interface Row {
  _id: string;
  owner: string;
  at: number;
}

let commands: string[] = [];
const stopRecording = onCommands(({ commandName, command }) => {
  const collection = String(command[commandName]);
  if (['read_walks', 'read_dogs'].includes(collection)) commands.push(commandName);
});

let api: TestApi;
let db: Db;
const walks = () => db.collection<Row>('read_walks');
const dogs = () => db.collection<Row>('read_dogs');
beforeAll(async () => {
  api = await startTestApi(monitoredUri(inject('mongodbUri')));
  db = api.db;
  const rowsOf = (name: string): Row[] =>
    Array.from({ length: 6 }, (_, i) => ({
      _id: `${name}${i}`,
      owner: i % 2 === 0 ? 'ann' : 'bob',
      at: i,
    }));
  await walks().insertMany(rowsOf('walk'));
  await dogs().insertMany(rowsOf('dog'));
});
afterAll(async () => {
  stopRecording();
  await api.close();
});

test('what is read in one turn of the event loop takes one command and gets its own rows', async () => {
  const dogOf = readTogether(db, dogs(), () => ({ owner: 'ann' }), { at: 1 });
  commands = [];
  const [latest, every, one, none, dog, others] = await Promise.all([
    findTogether(db, walks(), () => ({ filter: { owner: 'bob' }, sort: { at: -1 }, limit: 2 })),
    findTogether(db, dogs(), () => ({ filter: { owner: 'ann' }, projection: { _id: 1 } })),
    findOneTogether(db, walks(), { _id: 'walk4' }),
    findOneTogether(db, walks(), { _id: 'walk9' }),
    dogOf('dog2'),
    dogOf('dog3'),
  ]);
  expect(commands).toEqual(['aggregate']);
  expect(latest.map(({ _id }) => _id)).toEqual(['walk5', 'walk3']);
  expect(every).toEqual([{ _id: 'dog0' }, { _id: 'dog2' }, { _id: 'dog4' }]);
  expect(one).toEqual({ _id: 'walk4', owner: 'ann', at: 4 });
  expect(none).toBeNull();
  expect(dog).toEqual({ _id: 'dog2', at: 2 });
  expect(others).toBeNull();
});

test('many reads are shared among a few commands, in any number', async () => {
  commands = [];
  const found = await Promise.all(
    Array.from({ length: 60 }, (_, i) => findOneTogether(db, walks(), { _id: `walk${i % 6}` })),
  );
  expect(found.map((row) => row?.at)).toEqual(Array.from({ length: 60 }, (_, i) => i % 6));
  expect(commands.length).toBeLessThanOrEqual(3);
});

test('a later read sees what was written meanwhile, also after one that failed', async () => {
  let isBroken = true;
  const atOf = readByKeys(
    db,
    walks(),
    (ids) => {
      if (isBroken) throw new Error('broken');
      return { filter: { _id: { $in: ids } } };
    },
    (rows) => new Map(rows.map(({ _id, at }) => [_id, at])),
  );
  await expect(atOf('walk1')).rejects.toThrow('broken');
  isBroken = false;
  expect(await atOf('walk1')).toBe(1);
  await walks().updateOne({ _id: 'walk1' }, { $set: { at: 10 } });
  expect(await atOf('walk1')).toBe(10);
});

test('a read that fails is the only one of its turn that does', async () => {
  const dogOf = readTogether(db, dogs(), () => ({ owner: 'ann' }));
  const settled = await Promise.allSettled([
    findTogether(db, walks(), () => ({ filter: { owner: 'bob' }, limit: 1 })),
    findTogether(db, dogs(), () => ({ filter: { $unknown: true } })),
    dogOf('dog2'),
    findTogether(db, walks(), () => {
      throw new Error('broken');
    }),
    findOneTogether(db, dogs(), { _id: 'dog3' }),
  ]);
  expect(settled.map(({ status }) => status)).toEqual([
    'fulfilled',
    'rejected',
    'fulfilled',
    'rejected',
    'fulfilled',
  ]);
  const [walk, , dog, , other] = settled;
  expect(walk).toMatchObject({ value: [{ owner: 'bob' }] });
  expect(dog).toMatchObject({ value: { _id: 'dog2' } });
  expect(other).toMatchObject({ value: { _id: 'dog3' } });
});
