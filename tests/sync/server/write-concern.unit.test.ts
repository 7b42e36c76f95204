import { expect, test } from 'vitest';
import { durable } from '#shared/server/write-concern.ts';

const asked = (hello: object) => durable({ db: () => ({ command: async () => hello }) });

test.each([
  ['a member of a replica set', { setName: 'rs', isWritablePrimary: true }, 'majority'],
  ['a member of a set that is not initiated yet', { isreplicaset: true }, 'majority'],
  ['mongos', { isWritablePrimary: true, msg: 'isdbgrid' }, 'majority'],
  ['a standalone server', { isWritablePrimary: true }, 1],
])('durable writes are journaled with the write concern for %s', async (_, hello, w) => {
  expect(await asked(hello)).toEqual({ w, journal: true });
});
