import { expect, test } from 'vitest';
import { decidedBy } from '../../../client/features/moderation/admin/person-of.ts';

test.each([
  ['mo', 'Mo', 'Mo'],
  ['deleted-1', null, 'Deleted account'],
  [null, null, 'The rules'],
])('the decision of %s named %s is told as one of %s', (admin_user_id, admin_name, words) => {
  expect(decidedBy({ admin_user_id, admin_name })).toBe(words);
});
