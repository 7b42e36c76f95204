import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  blockBy,
  applyAction,
  noRelationship,
  viewOf,
  type Act,
} from '../../api/friends/relationship.ts';
import type { PairRow } from '../../api/friends/collections.ts';

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
  blocked_user_name: 'Somebody',
  reason: null,
});
const remove: Act = { type: 'remove' };
const unblock: Act = { type: 'unblock' };

/** What becomes of two strangers, a and b, and what the last act was told. */
function after(...acts: [by: 'a' | 'b', act: Act][]) {
  let pair = noRelationship('a', 'b');
  let refused: string | null = null;
  acts.forEach(([by, act], minute) => ({ pair, refused } = applyAction(pair, by, act, at(minute))));
  const seen = (user: string) => viewOf(pair, user).relationship;
  return { pair, refused, seen: [seen('a'), seen('b')] };
}

describe('a pair', () => {
  it.each<[string, [by: 'a' | 'b', act: Act][], string | null, [string, string]]>([
    ['are strangers at first', [], null, ['none', 'none']],
    ['one asks', [['a', request('1')]], null, ['sent', 'received']],
    [
      'the other accepts',
      [
        ['a', request('1')],
        ['b', answer('1', true)],
      ],
      null,
      ['friends', 'friends'],
    ],
    [
      'the other denies',
      [
        ['a', request('1')],
        ['b', answer('1', false)],
      ],
      null,
      ['none', 'none'],
    ],
    [
      'both ask: that is a yes',
      [
        ['a', request('1')],
        ['b', request('2')],
      ],
      null,
      ['friends', 'friends'],
    ],
    [
      'one asks twice',
      [
        ['a', request('1')],
        ['a', request('2')],
      ],
      null,
      ['sent', 'received'],
    ],
    [
      'nobody answers their own request',
      [
        ['a', request('1')],
        ['a', answer('1', true)],
      ],
      'no_request',
      ['sent', 'received'],
    ],
    [
      'a yes after a no comes too late',
      [
        ['a', request('1')],
        ['b', answer('1', false)],
        ['b', answer('1', true)],
      ],
      'answered',
      ['none', 'none'],
    ],
    [
      'a yes twice',
      [
        ['a', request('1')],
        ['b', answer('1', true)],
        ['b', answer('1', true)],
      ],
      null,
      ['friends', 'friends'],
    ],
    [
      'after a no one may ask again',
      [
        ['a', request('1')],
        ['b', answer('1', false)],
        ['a', request('2')],
      ],
      null,
      ['sent', 'received'],
    ],
    [
      'they part',
      [
        ['a', request('1')],
        ['b', request('2')],
        ['b', remove],
      ],
      null,
      ['none', 'none'],
    ],
    [
      'a late yes does not bring back what parted',
      [
        ['a', request('1')],
        ['b', answer('1', true)],
        ['a', remove],
        ['b', answer('1', true)],
      ],
      'no_request',
      ['none', 'none'],
    ],
    ['strangers do not part', [['a', remove]], 'not_friends', ['none', 'none']],
    ['one blocks', [['a', block('1')]], null, ['blocked', 'none']],
    [
      'friends, one blocks',
      [
        ['a', request('1')],
        ['b', request('2')],
        ['b', block('3')],
      ],
      null,
      ['none', 'blocked'],
    ],
    [
      'the blocked one asks in vain',
      [
        ['a', block('1')],
        ['b', request('2')],
      ],
      'blocked_by_them',
      ['blocked', 'none'],
    ],
    [
      'the blocker asks in vain',
      [
        ['a', block('1')],
        ['a', request('2')],
      ],
      'blocked_by_you',
      ['blocked', 'none'],
    ],
    [
      'a yes to somebody who has blocked since',
      [
        ['a', request('1')],
        ['a', block('2')],
        ['b', answer('1', true)],
      ],
      'no_request',
      ['blocked', 'none'],
    ],
    [
      'only whoever blocked unblocks',
      [
        ['a', block('1')],
        ['b', unblock],
      ],
      'not_blocked',
      ['blocked', 'none'],
    ],
    [
      'both block, one unblocks',
      [
        ['a', block('1')],
        ['b', block('2')],
        ['a', unblock],
      ],
      null,
      ['none', 'blocked'],
    ],
    [
      'unblocked, one may ask',
      [
        ['a', block('1')],
        ['a', unblock],
        ['b', request('2')],
      ],
      null,
      ['received', 'sent'],
    ],
  ])('%s', (_name, acts, refused, seen) => {
    expect(after(...acts)).toMatchObject({ refused, seen });
  });

  it.each<[string, [by: 'a' | 'b', act: Act][], Act, string, [string, string]]>([
    [
      'a removal that comes late does not end a friendship made since',
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
      'an unblocking that comes late does not lift a block made since',
      [
        ['a', block('1')],
        ['a', unblock],
        ['a', block('2')],
      ],
      unblock,
      'blocked_since',
      ['blocked', 'none'],
    ],
  ])('%s', (_name, acts, late, refused, seen) => {
    const { pair } = after(...acts);
    // Made before the last of them, and after all others.
    const settled = applyAction(pair, 'a', late, at(30), at(acts.length - 2));
    expect(settled).toEqual({ pair, refused });
    expect(seen).toEqual(['a', 'b'].map((user) => viewOf(settled.pair, user).relationship));
    expect(applyAction(pair, 'a', late, at(30), at(acts.length - 1)).refused).toBeNull();
  });

  it('what one did on a device without a network comes in the order in which it was done', () => {
    let pair = after(['b', request('1')]).pair;
    const late = (act: Act, made: number) => {
      const settled = applyAction(pair, 'a', act, at(60), at(made));
      pair = settled.pair;
      return [settled.refused, viewOf(pair, 'a').relationship];
    };
    expect(late(answer('1', true), 20)).toEqual([null, 'friends']);
    expect(late(remove, 10)).toEqual(['friends_since', 'friends']);
    expect(late(remove, 21)).toEqual([null, 'none']);
    expect(late(block('2'), 22)).toEqual([null, 'blocked']);
    expect(late(unblock, 11)).toEqual(['blocked_since', 'blocked']);
    expect(late(unblock, 23)).toEqual([null, 'none']);
    // What the other one does is not known before it is here.
    pair = after(['a', request('3')]).pair;
    pair = applyAction(pair, 'b', answer('3', true), at(60), at(20)).pair;
    expect(late(remove, 59)).toEqual(['friends_since', 'friends']);
    expect(late(remove, 60)).toEqual([null, 'none']);
  });

  it('keeps the words of the first request, and who asked whom', () => {
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
    fc.constantFrom(remove, unblock, block('9')),
  ),
);

/** Tells two people's story, and asks after each act whether something holds. */
const expectAlways = (holds: (before: PairRow, by: 'a' | 'b', act: Act) => boolean) =>
  fc.assert(
    fc.property(fc.array(acts, { maxLength: 30 }), (story) => {
      let pair = noRelationship('a', 'b');
      expect(
        story.filter(([by, act], minute) => {
          const isWrong = !holds(pair, by, act);
          pair = applyAction(pair, by, act, at(minute)).pair;
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

describe('whatever the two do, in whatever order', () => {
  it('nothing gets past a block', () =>
    expectAlways((pair, by, act) => {
      const { blocks, relationship, request: made } = applyAction(pair, by, act, at(99)).pair;
      return blocks.length === 0 ? relationship !== 'blocked' : relationship === 'blocked' && !made;
    }));

  it('whoever is blocked sees a stranger', () =>
    expectAlways((pair, by, act) => {
      const { pair: next } = applyAction(pair, by, act, at(99));
      const [byA, byB] = [blockBy(next, 'a'), blockBy(next, 'b')];
      const views = viewsOf(next);
      return !((byA && !byB && views.b !== stranger) || (byB && !byA && views.a !== stranger));
    }));

  it('the two see the same thing from both ends', () =>
    expectAlways((pair, by, act) => {
      const { pair: next } = applyAction(pair, by, act, at(99));
      const [a, b] = [viewOf(next, 'a').relationship, viewOf(next, 'b').relationship];
      const isTrue = (one: string, other: string) => (a === one) === (b === other);
      return (
        isTrue('friends', 'friends') && isTrue('sent', 'received') && isTrue('received', 'sent')
      );
    }));

  it('an act at once again changes nothing more, and is not refused if it was not', () =>
    expectAlways((pair, by, act) => {
      const first = applyAction(pair, by, act, at(98));
      const again = applyAction(first.pair, by, act, at(99));
      const isOver = act.type === 'remove' || act.type === 'unblock';
      return again.pair === first.pair && (isOver || again.refused === first.refused);
    }));

  it('a view has a new version exactly when it changed, and strangers never have one', () =>
    expectAlways((pair, by, act) => {
      const { pair: next } = applyAction(pair, by, act, at(99));
      const [before, now] = [viewsOf(pair), viewsOf(next)];
      return (['a', 'b'] as const).every(
        (user) =>
          next.views[user] === (before[user] === now[user] ? pair.views[user] : next.version),
      );
    }));
});
