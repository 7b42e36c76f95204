import { describe, expect, it } from 'vitest';
import type { Circle, CirclePerson, Relationship } from '#shared/friends/document.ts';
import {
  byNameNow,
  removedFriendIds,
  statusOf,
  withPendingCalls,
} from '../../client/friends/optimistic-circle.ts';
import type { WaitingCall } from '../../client/sync/outbox/outbox.ts';

const person = (standing: Relationship, user_id = 'sam'): CirclePerson => ({
  user_id,
  standing,
  name: 'Sam',
  at: '2026-01-01T00:00:00.000Z',
  request_id: standing === 'received' ? 'request' : null,
  message: null,
  card: null,
});

function circleWith(...people: CirclePerson[]): Circle {
  const those = (standing: Relationship) => people.filter((each) => each.standing === standing);
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

describe('a circle with what waits', () => {
  it.each<[string, CirclePerson[], WaitingCall[], string]>([
    ['asked', [], [ask], 'pending_sent'],
    ['asked, who has asked already', [person('received')], [ask], 'friends'],
    ['asked, who is a friend by now', [person('friends')], [ask], 'friends'],
    ['accepted', [person('received')], [answer('accept')], 'friends'],
    ['denied', [person('received')], [answer('deny')], 'none'],
    ['answered, who has withdrawn meanwhile', [], [answer('accept')], 'none'],
    ['removed', [person('friends')], [remove], 'none'],
    ['blocked', [person('friends')], [block], 'blocked'],
    ['blocked and let in again', [person('friends')], [block, unblock], 'none'],
    ['let in again and asked', [person('blocked')], [unblock, ask], 'pending_sent'],
  ])('shows somebody who is to be %s as if it were done', (_what, people, waiting, status) => {
    expect(statusOf(withPendingCalls(circleWith(...people), waiting), 'sam')).toBe(status);
  });

  it('marks whom it is about, by name and with the words', () => {
    const circle = withPendingCalls(circleWith(person('friends', 'eve')), [ask, click]);
    expect([...circle.waiting]).toEqual(['sam']);
    expect(circle.sent).toEqual([
      { ...person('sent'), at: '2026-06-01T00:00:00.000Z', message: 'Hello' },
    ]);
    expect(circle.friends).toHaveLength(1);
  });

  it('goes on showing what the server has done until the circle says so, without a mark', () => {
    const circle = withPendingCalls(circleWith(person('friends')), [
      { ...block, isAnswered: true },
    ]);
    expect(statusOf(circle, 'sam')).toBe('blocked');
    expect(circle.waiting.size).toBe(0);
  });

  it('has friends in the order of the names that they have now', () => {
    const { friends } = circleWith(
      { ...person('friends', 'eve'), name: 'Eve' },
      { ...person('friends', 'anna'), name: 'Zoe' },
    );
    const names = byNameNow(friends, new Map([['anna', 'Anna']])).map(({ name }) => name);
    expect(names).toEqual(['Anna', 'Eve']);
  });

  it('knows who was blocked or removed before the circle is open', () => {
    const eve: WaitingCall = { ...remove, input: { params: { friendUserId: 'eve' } } };
    expect([...removedFriendIds([ask, { ...block, isAnswered: true }, eve, click])]).toEqual([
      'sam',
      'eve',
    ]);
  });

  it('is the circle itself when nothing waits', () => {
    const circle = circleWith(person('friends'), person('blocked', 'eve'));
    expect(withPendingCalls(circle, [click])).toEqual({ ...circle, waiting: new Set() });
  });
});
