import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { initialContacts } from '#shared/friends/document.ts';
import {
  invitationChanges,
  readInvitations,
  type SyncedInvitation,
} from '#shared/invitations/document.ts';
import { INVITATIONS_LISTED } from '#shared/invitations/rules.ts';
import { text } from '#shared/text.ts';

const invitation = (number: number, more: Partial<SyncedInvitation> = {}): SyncedInvitation => ({
  id: `invitation-${number}`,
  code: `CODE${String(number).padStart(4, '0')}`,
  created_at: new Date(Date.UTC(2026, 0, 1, 0, number)).toISOString(),
  expires_at: '2026-02-01T00:00:00.000Z',
  is_used: false,
  is_emailed: true,
  ...more,
});
const contactsOf = (...invitations: SyncedInvitation[]) => {
  const contacts = initialContacts('alex');
  for (const each of invitations) invitationChanges['invitation.set'].apply(contacts, each);
  return contacts;
};

it('an invitation that was used stays used, whatever arrives late or twice', () => {
  const changes = fc.array(fc.record({ number: fc.nat(3), is_used: fc.boolean() }), {
    maxLength: 12,
  });
  fc.assert(
    fc.property(changes, (list) => {
      const read = readInvitations(
        contactsOf(...list.map(({ number, is_used }) => invitation(number, { is_used }))),
      );
      const used = new Map<number, boolean>();
      for (const { number, is_used } of list)
        used.set(number, is_used || used.get(number) === true);
      const expected = [...used].toSorted(([a], [b]) => b - a);
      expect(read).toEqual(expected.map(([number, is_used]) => invitation(number, { is_used })));
    }),
  );
});

it('keeps the newest invitations only, and lists them newest first', () => {
  const numbers = Array.from({ length: INVITATIONS_LISTED + 3 }, (_, i) => i);
  const newest = numbers.slice(3).toReversed();
  for (const order of [numbers, numbers.toReversed(), [...numbers, 0, 1]]) {
    const read = readInvitations(contactsOf(...order.map((number) => invitation(number))));
    expect(read?.map(({ id }) => id)).toEqual(newest.map((number) => `invitation-${number}`));
  }
});

it('removes an invitation, and reads documents from before there were invitations', () => {
  const contacts = contactsOf(invitation(1), invitation(2));
  for (let i = 0; i < 2; i++)
    invitationChanges['invitation.remove'].apply(contacts, { id: 'invitation-1' });
  expect(readInvitations(contacts)).toEqual([invitation(2)]);
  const old = { ...initialContacts('alex'), invitations: undefined };
  expect(readInvitations(old)).toBeNull();
  invitationChanges['invitation.set'].apply(old, invitation(1));
  expect(readInvitations(old)).toEqual([invitation(1)]);
});

it('ignores malformed invitations', () => {
  const contacts = contactsOf(invitation(1));
  Object.assign(contacts.invitations!, {
    nothing: null,
    word: 'x',
    code: { ...contacts.invitations!['invitation-1'], code: text('SHORT') },
    time: { ...contacts.invitations!['invitation-1'], expires_at: text('soon') },
    used: { ...contacts.invitations!['invitation-1'], is_used: 'yes' },
  });
  expect(readInvitations(contacts)).toEqual([invitation(1)]);
});
