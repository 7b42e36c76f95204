import * as A from '@automerge/automerge';
import { beforeEach, expect, test, vi } from 'vitest';
import { initialAccount } from '#shared/account/document.ts';
import { readSharing, sharingChanges } from '#shared/account/sharing.ts';
import {
  forgetSharing,
  readLostSharing,
  recordSharing,
  repeatSharing,
} from '../../client/platform/sync/journal/sharing-journal.ts';

beforeEach(() => {
  const stored = new Map<string, string>();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
    removeItem: (key: string) => void stored.delete(key),
  });
});

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

test('turning the sharing switch off again makes no change', () => {
  const before = A.change(A.from({ ...initialAccount('ann') }), (draft) => save(draft, false));
  expect(A.change(before, (draft) => save(draft, false))).toBe(before);
});

test.each([
  ['00', 'ff'],
  ['ff', '00'],
])(
  'a walk that starts while another device ends one goes on, with actors %s and %s',
  (one, two) => {
    const before = A.change(A.from({ ...initialAccount('ann') }), (draft) => save(draft, true));
    const ended = A.change(A.clone(before, { actor: one }), (draft) => save(draft, false));
    const started = A.change(A.clone(before, { actor: two }), (draft) => save(draft, true));
    expect(readSharing(A.merge(started, ended))).toBe(true);
  },
);

test.each([
  ['lower', '00', 'ff'],
  ['higher', 'ff', '00'],
])(
  'a walk that starts after a reload is not ended by changes that the page before sent but did not store, with a %s actor',
  (_order, gone, next) => {
    const stored = A.from({ ...initialAccount('ann') }, { actor: 'aa' });
    // The page that is gone: the start was refused, and neither change was stored on the device.
    let sent = A.clone(stored, { actor: gone });
    for (const isEnabled of [true, false]) {
      sent = A.change(sent, (draft) => save(draft, isEnabled));
      recordSharing('ann', isEnabled);
    }
    let account = A.clone(stored, { actor: next });
    const lost = readLostSharing('ann')!;
    account = A.change(account, (draft) => repeatSharing(draft, lost));
    expect(readSharing(account)).toBe(false);
    account = A.change(account, (draft) => save(draft, true));
    const merged = A.merge(account, sent);
    expect(readSharing(merged)).toBe(true);
    forgetSharing('ann', lost);
    expect(readLostSharing('ann')).toBeNull();
  },
);

test('a decision counts as lost until it is stored, for a minute', () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const first = recordSharing('ann', true);
  const second = recordSharing('ann', false);
  forgetSharing('ann', first);
  expect(readLostSharing('ann')).toEqual(second);
  vi.setSystemTime(Date.now() + 61_000);
  expect(readLostSharing('ann')).toBeNull();
  vi.useRealTimers();
});
