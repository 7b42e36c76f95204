import * as A from '@automerge/automerge';
import { expect, test } from 'vitest';
import { initialAccount } from '#shared/account/document.ts';
import { readSharing, sharingChanges } from '#shared/profile/sharing.ts';

const save = (account: ReturnType<typeof initialAccount>, is_location_sharing_enabled: boolean) =>
  sharingChanges['sharing.save'].apply(account, { is_location_sharing_enabled });

test('the sharing switch is unknown until it is set', () => {
  const account = initialAccount('ann');
  expect(readSharing(account)).toBeNull();
  for (const next of [false, true, false]) {
    save(account, next);
    expect(readSharing(account)).toBe(next);
  }
  for (const nothing of [null, {}, { is_location_sharing_enabled: 'true' }])
    expect(readSharing(nothing)).toBeNull();
});

test('setting the sharing switch to its current value makes no change', () => {
  const before = A.change(A.from({ ...initialAccount('ann') }), (draft) => save(draft, true));
  expect(A.change(before, (draft) => save(draft, true))).toBe(before);
});
