import { expect, test } from 'vitest';
import { Rights } from '../../sync-server/rights.ts';

test('whoever asks is answered, however often the rights of others change meanwhile', async () => {
  const group = {
    _id: { kind: 'account', is_own: true },
    ids: ['theirs'],
    marks: ['ab'.repeat(12)],
  };
  const documents = {
    collectionName: 'documents',
    aggregate: () => ({
      async toArray() {
        rights.changed();
        return [group];
      },
    }),
  };
  const rights = new Rights({ documents, users: {} } as never);
  expect(await rights.of('somebody', 'theirs')).toEqual({ mayWrite: true, mark: group.marks[0] });
  const { isCurrent } = await rights.listOf('somebody');
  expect(isCurrent()).toBe(false);
});
