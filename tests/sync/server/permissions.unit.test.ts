import { expect, test } from 'vitest';
import { DocumentPermissions } from '../../../sync-server/core/access/document-permissions.ts';

test('a lookup is answered even if permissions change in the meantime', async () => {
  const group = {
    _id: { kind: 'account', is_own: true },
    ids: ['theirs'],
    marks: ['ab'.repeat(12)],
  };
  const documents = {
    collectionName: 'documents',
    aggregate: () => ({
      async toArray() {
        permissions.invalidate('document');
        return [group];
      },
    }),
  };
  const permissions = new DocumentPermissions({ documents, users: {} } as never);
  expect(await permissions.of('somebody', 'theirs')).toEqual({
    mayWrite: true,
    mark: group.marks[0],
  });
  const { isCurrent } = await permissions.snapshotOf('somebody');
  expect(isCurrent()).toBe(false);
});
