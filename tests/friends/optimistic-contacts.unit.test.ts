import { describe, expect, it } from 'vitest';
import type { Contacts, Contact, Relationship } from '#shared/friends/document.ts';
import {
  byNameNow,
  removedFriendIds,
  statusOf,
  withPendingCalls,
} from '../../client/features/friends/optimistic-contacts.ts';
import type { WaitingCall } from '../../client/platform/sync/outbox/outbox.ts';

const person = (relationship: Relationship, user_id = 'sam'): Contact => ({
  user_id,
  relationship,
  name: 'Sam',
  at: '2026-01-01T00:00:00.000Z',
  request_id: relationship === 'received' ? 'request' : null,
  message: null,
  card: null,
});

function contactsWith(...people: Contact[]): Contacts {
  const those = (relationship: Relationship) =>
    people.filter((each) => each.relationship === relationship);
  return {
    friends: those('friends'),
    received: those('received'),
    sent: those('sent'),
    blocked: those('blocked'),
  };
}

const about = { at: Date.UTC(2026, 5, 1), label: 'Sam' };
const ask: WaitingCall = {
  ...about,
  name: 'friends.request',
  input: { body: { receiver_user_id: 'sam', message: 'Hello' } },
};
const answer = (action: 'accept' | 'deny', request_id = 'request'): WaitingCall => ({
  ...about,
  name: 'friends.respond',
  input: { body: { request_id, action } },
});
const withdraw: WaitingCall = {
  ...about,
  name: 'friends.withdraw',
  input: { params: { receiverUserId: 'sam' } },
};
const remove: WaitingCall = {
  ...about,
  name: 'friends.remove',
  input: { params: { friendUserId: 'sam' } },
};
const block: WaitingCall = {
  ...about,
  name: 'blocks.create',
  input: { body: { blocked_user_id: 'sam', reason: 'Loud' } },
};
const unblock: WaitingCall = {
  ...about,
  name: 'blocks.delete',
  input: { params: { blockedUserId: 'sam' } },
};
const click: WaitingCall = {
  ...about,
  name: 'ads.click',
  input: { body: { ad_id: 'ad', ad_title: 'Ad', ad_url: 'https://example.com' } },
};

describe('contacts with pending calls', () => {
  it.each<[string, Contact[], WaitingCall[], string]>([
    ['requested', [], [ask], 'pending_sent'],
    ['requested after sending a request', [person('received')], [ask], 'friends'],
    ['requested after becoming a friend', [person('friends')], [ask], 'friends'],
    ['accepted', [person('received')], [answer('accept')], 'friends'],
    ['denied', [person('received')], [answer('deny')], 'none'],
    ['accepted after withdrawing', [], [answer('accept')], 'none'],
    ['withdrawn', [person('sent')], [withdraw], 'none'],
    ['requested and withdrawn', [], [ask, withdraw], 'none'],
    ['withdrawn after becoming a friend', [person('friends')], [withdraw], 'friends'],
    ['removed', [person('friends')], [remove], 'none'],
    ['blocked', [person('friends')], [block], 'blocked'],
    ['blocked and unblocked', [person('friends')], [block, unblock], 'none'],
    ['unblocked and requested', [person('blocked')], [unblock, ask], 'pending_sent'],
  ])('shows a user who is to be %s as if it were done', (_what, people, waiting, status) => {
    expect(statusOf(withPendingCalls(contactsWith(...people), waiting), 'sam')).toBe(status);
  });

  it('marks users with pending calls, with their name and message', () => {
    const contacts = withPendingCalls(contactsWith(person('friends', 'eve')), [ask, click]);
    expect([...contacts.waiting]).toEqual(['sam']);
    expect(contacts.sent).toEqual([
      { ...person('sent'), at: '2026-06-01T00:00:00.000Z', message: 'Hello' },
    ]);
    expect(contacts.friends).toHaveLength(1);
  });

  it('shows confirmed results without a mark until the contacts document has them', () => {
    const contacts = withPendingCalls(contactsWith(person('friends')), [
      { ...block, isAnswered: true },
    ]);
    expect(statusOf(contacts, 'sam')).toBe('blocked');
    expect(contacts.waiting.size).toBe(0);
  });

  it('sorts friends by their current names', () => {
    const { friends } = contactsWith(
      { ...person('friends', 'eve'), name: 'Eve' },
      { ...person('friends', 'anna'), name: 'Zoe' },
    );
    const names = byNameNow(friends, new Map([['anna', 'Anna']])).map(({ name }) => name);
    expect(names).toEqual(['Anna', 'Eve']);
  });

  it('knows blocked and removed users before the contacts document is open', () => {
    const eve: WaitingCall = { ...remove, input: { params: { friendUserId: 'eve' } } };
    expect([...removedFriendIds([ask, { ...block, isAnswered: true }, eve, click])]).toEqual([
      'sam',
      'eve',
    ]);
  });

  it('returns the contacts unchanged when no call is pending', () => {
    const contacts = contactsWith(person('friends'), person('blocked', 'eve'));
    expect(withPendingCalls(contacts, [click])).toEqual({ ...contacts, waiting: new Set() });
  });
});
