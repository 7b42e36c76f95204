import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DAY_MS } from '#shared/time.ts';
import type { PairRow } from '../../api/features/relationships/collections.ts';
import {
  blockBy,
  applyAction,
  noRelationship,
  viewOf,
  type Act,
} from '../../api/features/relationships/relationship.ts';

const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 0, minute));
const request = (id: string, message: string | null = null): Act => ({
  type: 'request',
  id,
  message,
});
const answer = (request_id: string, accept: boolean): Act => ({
  type: 'answer',
  request_id,
  accept,
});
const block = (id: string): Act => ({
  type: 'block',
  id,
  blocked_user_name: 'Someone',
  reason: null,
});
const delayedBlock = (id: string): Act => ({
  type: 'block',
  id,
  blocked_user_name: 'Someone',
  reason: null,
  shownUntil: at(30),
});
const befriend: Act = { type: 'befriend', id: '9' };
const withdraw: Act = { type: 'withdraw' };
const remove: Act = { type: 'remove' };
const unblock: Act = { type: 'unblock' };

/** Returns the pair of two strangers a and b after these actions, and the refusal of the last one. */
function after(...acts: [by: 'a' | 'b', act: Act][]) {
  let pair = noRelationship('a', 'b');
  let refused: string | null = null;
  acts.forEach(
    ([by, act], minute) => ({ pair, refused } = applyAction(pair, { by, act, at: at(minute) })),
  );
  const seen = (user: string) => viewOf(pair, user).relationship;
  return { pair, refused, seen: [seen('a'), seen('b')] };
}

describe('a scanned code', () => {
  it('makes friends of strangers and of who asked, and passes no block', () => {
    expect(after(['a', befriend]).seen).toEqual(['friends', 'friends']);
    expect(after(['a', request('1')], ['a', befriend]).seen).toEqual(['friends', 'friends']);
    expect(after(['b', block('1')], ['a', befriend])).toMatchObject({
      refused: 'blocked_by_them',
      seen: ['none', 'blocked'],
    });
    expect(after(['a', block('1')], ['a', befriend]).refused).toBe('blocked_by_you');
  });

  it('changes nothing for somebody who has not seen a block yet', () => {
    const blocked: [by: 'a' | 'b', act: Act][] = [
      ['a', request('1')],
      ['b', answer('1', true)],
      ['b', delayedBlock('2')],
    ];
    const { pair } = after(...blocked);
    expect(after(...blocked, ['a', befriend])).toMatchObject({ refused: null, pair });
  });

  it('is an offer of who shows it', () => {
    const { pair } = after(['a', befriend]);
    expect(pair.request).toMatchObject({
      id: '9',
      sender_user_id: 'b',
      receiver_user_id: 'a',
      status: 'accepted',
    });
  });
});

describe('what was written with requests', () => {
  const saidIn = ({ pair }: { pair: PairRow }) =>
    pair.first_messages?.map(({ author, text }) => [author, text]);

  it('waits to be the first messages of new friends', () => {
    expect(saidIn(after(['a', request('1', 'Hi')]))).toBeUndefined();
    const accepted = after(['a', request('1', 'Hi')], ['b', answer('1', true)]);
    expect(saidIn(accepted)).toEqual([['a', 'Hi']]);
    const crossed = after(['a', request('1', 'Hi')], ['b', request('2', 'Hello')]);
    expect(saidIn(crossed)).toEqual([
      ['a', 'Hi'],
      ['b', 'Hello'],
    ]);
    expect(saidIn(after(['a', request('1', 'Hi')], ['a', befriend]))).toEqual([['a', 'Hi']]);
  });

  it('is forgotten with a denial or the end of the friendship', () => {
    expect(saidIn(after(['a', request('1', 'Hi')], ['b', answer('1', false)]))).toBeUndefined();
    const ended = after(['a', request('1', 'Hi')], ['b', answer('1', true)], ['a', remove]);
    expect(saidIn(ended)).toBeUndefined();
  });
});

describe('a pair of users', () => {
  it.each<[string, [by: 'a' | 'b', act: Act][], string | null, [string, string]]>([
    ['two users are strangers at first', [], null, ['none', 'none']],
    ['one user sends a request', [['a', request('1')]], null, ['sent', 'received']],
    [
      'the other user accepts',
      [
        ['a', request('1')],
        ['b', answer('1', true)],
      ],
      null,
      ['friends', 'friends'],
    ],
    [
      'the other user denies',
      [
        ['a', request('1')],
        ['b', answer('1', false)],
      ],
      null,
      ['none', 'none'],
    ],
    [
      'a request in return accepts the first one',
      [
        ['a', request('1')],
        ['b', request('2')],
      ],
      null,
      ['friends', 'friends'],
    ],
    [
      'a second request changes nothing',
      [
        ['a', request('1')],
        ['a', request('2')],
      ],
      null,
      ['sent', 'received'],
    ],
    [
      'a sender can’t accept their own request',
      [
        ['a', request('1')],
        ['a', answer('1', true)],
      ],
      'no_request',
      ['sent', 'received'],
    ],
    [
      'accepting after denying is refused',
      [
        ['a', request('1')],
        ['b', answer('1', false)],
        ['b', answer('1', true)],
      ],
      'answered',
      ['none', 'none'],
    ],
    [
      'accepting twice changes nothing',
      [
        ['a', request('1')],
        ['b', answer('1', true)],
        ['b', answer('1', true)],
      ],
      null,
      ['friends', 'friends'],
    ],
    [
      'a denied user can’t send another request at once',
      [
        ['a', request('1')],
        ['b', answer('1', false)],
        ['a', request('2')],
      ],
      'resting',
      ['none', 'none'],
    ],
    [
      'who denied a request can send one, which the denied user can answer by a request',
      [
        ['a', request('1')],
        ['b', answer('1', false)],
        ['b', request('2')],
        ['a', request('3')],
      ],
      null,
      ['friends', 'friends'],
    ],
    [
      'a friendship since then ends the rest after a denial',
      [
        ['a', request('1')],
        ['b', answer('1', false)],
        ['b', request('2')],
        ['a', answer('2', true)],
        ['b', remove],
        ['a', request('3')],
      ],
      null,
      ['sent', 'received'],
    ],
    [
      'a block of a denied user changes nothing in how their requests are refused',
      [
        ['a', request('1')],
        ['b', answer('1', false)],
        ['b', delayedBlock('2')],
        ['a', request('3')],
      ],
      'resting',
      ['none', 'blocked'],
    ],
    [
      'an unblocked user can send a request after a denial',
      [
        ['a', request('1')],
        ['b', answer('1', false)],
        ['b', block('2')],
        ['b', unblock],
        ['a', request('3')],
      ],
      null,
      ['sent', 'received'],
    ],
    [
      'the sender withdraws a request',
      [
        ['a', request('1')],
        ['a', withdraw],
      ],
      null,
      ['none', 'none'],
    ],
    [
      'a withdrawn request can be sent again at once',
      [
        ['a', request('1')],
        ['a', withdraw],
        ['a', request('2')],
      ],
      null,
      ['sent', 'received'],
    ],
    [
      'a withdrawn request can’t be accepted',
      [
        ['a', request('1')],
        ['a', withdraw],
        ['b', answer('1', true)],
      ],
      'no_request',
      ['none', 'none'],
    ],
    [
      'withdrawing a denied request changes nothing',
      [
        ['a', request('1')],
        ['b', answer('1', false)],
        ['a', withdraw],
      ],
      null,
      ['none', 'none'],
    ],
    [
      'withdrawing an accepted request is refused',
      [
        ['a', request('1')],
        ['b', answer('1', true)],
        ['a', withdraw],
      ],
      'already_friends',
      ['friends', 'friends'],
    ],
    [
      'only the sender can withdraw a request',
      [
        ['a', request('1')],
        ['b', withdraw],
      ],
      'no_request',
      ['sent', 'received'],
    ],
    [
      'the request of a blocked user can be withdrawn and sent again, for their eyes only',
      [
        ['a', request('1')],
        ['b', delayedBlock('2')],
        ['a', withdraw],
        ['a', request('3')],
      ],
      null,
      ['sent', 'blocked'],
    ],
    [
      'removing a friend ends the friendship',
      [
        ['a', request('1')],
        ['b', request('2')],
        ['b', remove],
      ],
      null,
      ['none', 'none'],
    ],
    [
      'accepting late does not restore an ended friendship',
      [
        ['a', request('1')],
        ['b', answer('1', true)],
        ['a', remove],
        ['b', answer('1', true)],
      ],
      'no_request',
      ['none', 'none'],
    ],
    ['strangers can’t be removed', [['a', remove]], 'not_friends', ['none', 'none']],
    ['one user blocks the other', [['a', block('1')]], null, ['blocked', 'none']],
    [
      'a block ends a friendship',
      [
        ['a', request('1')],
        ['b', request('2')],
        ['b', block('3')],
      ],
      null,
      ['none', 'blocked'],
    ],
    [
      'a blocked friend is shown the friendship for a while',
      [
        ['a', request('1')],
        ['b', request('2')],
        ['b', delayedBlock('3')],
      ],
      null,
      ['friends', 'blocked'],
    ],
    [
      'a repeated request of a blocked friend changes nothing',
      [
        ['a', request('1')],
        ['b', request('2')],
        ['b', delayedBlock('3')],
        ['a', request('4')],
      ],
      null,
      ['friends', 'blocked'],
    ],
    [
      'a blocked friend can end the friendship that is shown',
      [
        ['a', request('1')],
        ['b', request('2')],
        ['b', delayedBlock('3')],
        ['a', remove],
      ],
      null,
      ['none', 'blocked'],
    ],
    [
      'an unblocking ends what is shown',
      [
        ['a', request('1')],
        ['b', request('2')],
        ['b', delayedBlock('3')],
        ['b', unblock],
      ],
      null,
      ['none', 'none'],
    ],
    [
      'the request of a blocked user is shown as unanswered',
      [
        ['a', request('1')],
        ['b', delayedBlock('2')],
      ],
      null,
      ['sent', 'blocked'],
    ],
    [
      'a request can’t accept that of a blocker: it is shown as unanswered',
      [
        ['a', request('1')],
        ['a', delayedBlock('2')],
        ['b', request('3')],
      ],
      null,
      ['blocked', 'sent'],
    ],
    [
      'the request of a blocker looks withdrawn to the blocked user who accepts it',
      [
        ['a', request('1')],
        ['a', delayedBlock('2')],
        ['b', answer('1', true)],
      ],
      null,
      ['blocked', 'none'],
    ],
    [
      'a blocked friend who removes the friend can send a request, for their eyes only',
      [
        ['a', request('1')],
        ['b', request('2')],
        ['b', delayedBlock('3')],
        ['a', remove],
        ['a', request('4')],
      ],
      null,
      ['sent', 'blocked'],
    ],
    [
      'a blocked friend who blocks in return and unblocks can send a request, for their eyes only',
      [
        ['a', request('1')],
        ['b', request('2')],
        ['b', delayedBlock('3')],
        ['a', block('4')],
        ['a', unblock],
        ['a', request('5')],
      ],
      null,
      ['sent', 'blocked'],
    ],
    [
      'a block of a stranger is delayed for no one',
      [['a', delayedBlock('1')]],
      null,
      ['blocked', 'none'],
    ],
    [
      'a blocked user can’t send a request',
      [
        ['a', block('1')],
        ['b', request('2')],
      ],
      'blocked_by_them',
      ['blocked', 'none'],
    ],
    [
      'a blocker can’t send a request',
      [
        ['a', block('1')],
        ['a', request('2')],
      ],
      'blocked_by_you',
      ['blocked', 'none'],
    ],
    [
      'accepting a request of a user who has blocked since is refused',
      [
        ['a', request('1')],
        ['a', block('2')],
        ['b', answer('1', true)],
      ],
      'no_request',
      ['blocked', 'none'],
    ],
    [
      'only the blocker can unblock',
      [
        ['a', block('1')],
        ['b', unblock],
      ],
      'not_blocked',
      ['blocked', 'none'],
    ],
    [
      'when both block, unblocking removes one block',
      [
        ['a', block('1')],
        ['b', block('2')],
        ['a', unblock],
      ],
      null,
      ['none', 'blocked'],
    ],
    [
      'an unblocked user can send a request',
      [
        ['a', block('1')],
        ['a', unblock],
        ['b', request('2')],
      ],
      null,
      ['received', 'sent'],
    ],
  ])('relationship of a pair: %s', (_name, acts, refused, seen) => {
    expect(after(...acts)).toMatchObject({ refused, seen });
  });

  it.each<[string, [by: 'a' | 'b', act: Act][], Act, string, [string, string]]>([
    [
      'a late removal does not end a newer friendship',
      [
        ['a', request('1')],
        ['b', answer('1', true)],
        ['a', remove],
        ['b', request('2')],
        ['a', answer('2', true)],
      ],
      remove,
      'friends_since',
      ['friends', 'friends'],
    ],
    [
      'a late withdrawal does not withdraw a newer request',
      [
        ['a', request('1')],
        ['a', withdraw],
        ['a', request('2')],
      ],
      withdraw,
      'requested_since',
      ['sent', 'received'],
    ],
    [
      'a late unblock does not lift a newer block',
      [
        ['a', block('1')],
        ['a', unblock],
        ['a', block('2')],
      ],
      unblock,
      'blocked_since',
      ['blocked', 'none'],
    ],
  ])('late actions of a pair: %s', (_name, acts, late, refused, seen) => {
    const { pair } = after(...acts);
    // The late action was made before the last of these actions and after all others.
    const settled = applyAction(pair, {
      by: 'a',
      act: late,
      at: at(30),
      madeAt: at(acts.length - 2),
    });
    expect(settled).toEqual({ pair, refused });
    expect(seen).toEqual(['a', 'b'].map((user) => viewOf(settled.pair, user).relationship));
    expect(
      applyAction(pair, { by: 'a', act: late, at: at(30), madeAt: at(acts.length - 1) }).refused,
    ).toBeNull();
  });

  it('offline actions apply in the order in which they were made', () => {
    let pair = after(['b', request('1')]).pair;
    const late = (act: Act, made: number) => {
      const settled = applyAction(pair, { by: 'a', act, at: at(60), madeAt: at(made) });
      pair = settled.pair;
      return [settled.refused, viewOf(pair, 'a').relationship];
    };
    expect(late(answer('1', true), 20)).toEqual([null, 'friends']);
    expect(late(remove, 10)).toEqual(['friends_since', 'friends']);
    expect(late(remove, 21)).toEqual([null, 'none']);
    expect(late(block('2'), 22)).toEqual([null, 'blocked']);
    expect(late(unblock, 11)).toEqual(['blocked_since', 'blocked']);
    expect(late(unblock, 23)).toEqual([null, 'none']);
    // Actions of the other user count when they arrive.
    pair = after(['a', request('3')]).pair;
    pair = applyAction(pair, { by: 'b', act: answer('3', true), at: at(60), madeAt: at(20) }).pair;
    expect(late(remove, 59)).toEqual(['friends_since', 'friends']);
    expect(late(remove, 60)).toEqual([null, 'none']);
  });

  it('shows the end of a relationship after a block when it is due, not before', () => {
    const { pair } = after(['a', request('1')], ['b', request('2')], ['b', delayedBlock('3')]);
    const end = (minute: number) =>
      applyAction(pair, { by: 'a', act: { type: 'show_end' }, at: at(minute) }).pair;
    expect(end(29)).toBe(pair);
    const ended = end(30);
    expect(['a', 'b'].map((user) => viewOf(ended, user).relationship)).toEqual(['none', 'blocked']);
    expect(ended.views).toEqual({ a: ended.version, b: pair.views['b'] });
    expect(pair.views['a']).toBeLessThan(pair.version);
  });

  it('lets a denied user ask again after 30 days', () => {
    const { pair } = after(['a', request('1')], ['b', answer('1', false)]);
    const askAfter = (ms: number) =>
      applyAction(pair, { by: 'a', act: request('2'), at: new Date(at(1).getTime() + ms) });
    expect(askAfter(30 * DAY_MS - 1)).toEqual({ pair, refused: 'resting' });
    const { refused, pair: asked } = askAfter(30 * DAY_MS);
    expect([refused, viewOf(asked, 'b').relationship]).toEqual([null, 'received']);
  });

  it('refuses requests after a block looked like a denial as after a denial', () => {
    const denied = after(['a', request('1')], ['b', answer('1', false)]).pair;
    const blocked = applyAction(after(['a', request('1')], ['b', delayedBlock('2')]).pair, {
      by: 'a',
      act: { type: 'show_end' },
      at: at(30),
    }).pair;
    for (const act of [request('3'), withdraw])
      expect(applyAction(blocked, { by: 'a', act, at: at(31) }).refused).toBe(
        applyAction(denied, { by: 'a', act, at: at(31) }).refused,
      );
    expect(viewOf(blocked, 'a')).toEqual(viewOf(denied, 'a'));
  });

  it('keeps the message and the sender of the first request', () => {
    const { pair } = after(['b', request('1', 'Hello')], ['b', request('2', 'Again')]);
    expect(pair.request).toMatchObject({
      id: '1',
      sender_user_id: 'b',
      receiver_user_id: 'a',
      message: 'Hello',
    });
  });
});

const acts: fc.Arbitrary<[by: 'a' | 'b', act: Act]> = fc.tuple(
  fc.constantFrom('a', 'b'),
  fc.oneof(
    fc.constantFrom('1', '2', '3').map((id) => request(id)),
    fc.tuple(fc.constantFrom('1', '2', '3'), fc.boolean()).map(([id, yes]) => answer(id, yes)),
    fc.constantFrom(withdraw, remove, unblock, block('9')),
  ),
);

/** Checks a property after each action of random stories of two users. */
const expectAlways = (holds: (before: PairRow, by: 'a' | 'b', act: Act) => boolean) =>
  fc.assert(
    fc.property(fc.array(acts, { maxLength: 30 }), (story) => {
      let pair = noRelationship('a', 'b');
      expect(
        story.filter(([by, act], minute) => {
          const isWrong = !holds(pair, by, act);
          pair = applyAction(pair, { by, act, at: at(minute) }).pair;
          return isWrong;
        }),
      ).toEqual([]);
    }),
  );

const viewsOf = (pair: PairRow) => ({
  a: JSON.stringify(viewOf(pair, 'a')),
  b: JSON.stringify(viewOf(pair, 'b')),
});
const stranger = viewsOf(noRelationship('a', 'b')).a;

describe('any sequence of actions of a pair', () => {
  it('nothing gets past a block', () =>
    expectAlways((pair, by, act) => {
      const {
        blocks,
        relationship,
        request: made,
      } = applyAction(pair, { by, act, at: at(99) }).pair;
      return blocks.length === 0 ? relationship !== 'blocked' : relationship === 'blocked' && !made;
    }));

  it('a blocked user sees a stranger', () =>
    expectAlways((pair, by, act) => {
      const { pair: next } = applyAction(pair, { by, act, at: at(99) });
      const [byA, byB] = [blockBy(next, 'a'), blockBy(next, 'b')];
      const views = viewsOf(next);
      return !((byA && !byB && views.b !== stranger) || (byB && !byA && views.a !== stranger));
    }));

  it('both users see the same relationship', () =>
    expectAlways((pair, by, act) => {
      const { pair: next } = applyAction(pair, { by, act, at: at(99) });
      const [a, b] = [viewOf(next, 'a').relationship, viewOf(next, 'b').relationship];
      const isTrue = (one: string, other: string) => (a === one) === (b === other);
      return (
        isTrue('friends', 'friends') && isTrue('sent', 'received') && isTrue('received', 'sent')
      );
    }));

  it('repeating an action at once changes nothing and is not refused', () =>
    expectAlways((pair, by, act) => {
      const first = applyAction(pair, { by, act, at: at(98) });
      const again = applyAction(first.pair, { by, act, at: at(99) });
      const isOver = ['withdraw', 'remove', 'unblock'].includes(act.type);
      return again.pair === first.pair && (isOver || again.refused === first.refused);
    }));

  it('no action of a blocked user tells them of the block until they are to see the end', () =>
    fc.assert(
      fc.property(
        fc.array(acts, { maxLength: 10 }),
        fc.array(
          fc.constantFrom(withdraw, request('4'), request('5'), remove, block('6'), unblock),
          { maxLength: 8 },
        ),
        (story, later) => {
          let open = noRelationship('a', 'b');
          story.forEach(([by, act], minute) => {
            open = applyAction(open, { by, act, at: at(minute) }).pair;
          });
          // Strangers see a block at once, and a request of the blocker can’t be accepted (decision 50).
          fc.pre(['friends', 'sent'].includes(viewOf(open, 'a').relationship));
          let blocked = applyAction(open, { by: 'b', act: delayedBlock('9'), at: at(12) }).pair;
          later.forEach((act, i) => {
            const [one, other] = [open, blocked].map((pair) =>
              applyAction(pair, { by: 'a', act, at: at(13 + i) }),
            );
            expect(other!.refused).toBe(one!.refused);
            [open, blocked] = [one!.pair, other!.pair];
            expect(viewsOf(blocked).a).toBe(viewsOf(open).a);
            expect(blocked.views['a']).toBe(open.views['a']);
            expect(viewOf(blocked, 'b').relationship).toBe('blocked');
          });
        },
      ),
    ));

  it('a view gets a new version exactly when it changes, and strangers never have one', () =>
    expectAlways((pair, by, act) => {
      const { pair: next } = applyAction(pair, { by, act, at: at(99) });
      const [before, now] = [viewsOf(pair), viewsOf(next)];
      return (['a', 'b'] as const).every(
        (user) =>
          next.views[user] === (before[user] === now[user] ? pair.views[user] : next.version),
      );
    }));
});
