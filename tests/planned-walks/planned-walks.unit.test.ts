import { describe, expect, test } from 'vitest';
import type { PlannedWalk, PlannedWalkFields } from '#shared/planned-walks/contract.ts';
import { problemOfStart, reminderFor } from '#shared/planned-walks/rules.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#shared/time.ts';
import {
  answerState,
  nextWalks,
  walkAtSameTime,
} from '../../client/features/planned-walks/next-walks.ts';
import {
  plannedWalksWithWaiting,
  type ShownPlannedWalk,
} from '../../client/features/planned-walks/optimistic-planned-walks.ts';
import type { WaitingCall } from '../../client/platform/sync/outbox/outbox.ts';

const NOW = Date.parse('2026-11-25T10:00:00.000Z');

describe('the start of a planned walk', () => {
  test('is in the future, and within 60 days', () => {
    expect(problemOfStart(NOW, NOW)).toBe('Choose a time in the future');
    expect(problemOfStart(Number.NaN, NOW)).toBe('Choose a time in the future');
    expect(problemOfStart(NOW + 1, NOW)).toBeNull();
    expect(problemOfStart(NOW + 60 * DAY_MS, NOW)).toBeNull();
    expect(problemOfStart(NOW + 60 * DAY_MS + 1, NOW)).toBe(
      'Choose a time within the next 60 days',
    );
  });

  test('has a reminder an hour before, or ten minutes before if that is over', () => {
    expect(reminderFor(NOW + 2 * HOUR_MS, NOW)).toBe(NOW + HOUR_MS);
    expect(reminderFor(NOW + HOUR_MS, NOW)).toBe(NOW + 50 * MINUTE_MS);
    expect(reminderFor(NOW + 10 * MINUTE_MS, NOW)).toBeNull();
  });
});

describe('planned walks with unsent calls', () => {
  const own = {
    userId: 'me',
    names: new Map([
      ['ann', 'Ann'],
      ['bob', 'Bob'],
    ]),
  };
  const fields: PlannedWalkFields = {
    starts_at: '2026-11-26T10:00:00.000Z',
    place_name: 'Oak Park',
    participant_ids: ['ann'],
  };
  const walk: PlannedWalk = {
    id: 'walk',
    starts_at: '2026-11-27T10:00:00.000Z',
    place_name: 'Green',
    location_id: 'green',
    latitude: 1,
    longitude: 2,
    note: 'Hello',
    is_canceled: false,
    organizer: { user_id: 'me', name: 'Me' },
    is_own: true,
    own_answer: null,
    participants: [{ user_id: 'ann', name: 'Ann', answer: 'yes' }],
    others: { count: 0, coming: 0 },
  };
  const waiting = (name: WaitingCall['name'], input: unknown) =>
    ({ name, input, at: NOW, label: '' }) as WaitingCall;
  const create = waiting('plannedWalks.create', { body: { id: 'new', ...fields } });

  test('show a new walk in the order of time until the answer includes it', () => {
    const shown = plannedWalksWithWaiting([walk], [create], own);
    expect(shown.map(({ id, isWaiting }) => [id, isWaiting])).toEqual([
      ['new', true],
      ['walk', false],
    ]);
    expect(shown[0]).toMatchObject({
      is_own: true,
      place_name: 'Oak Park',
      participants: [{ user_id: 'ann', name: 'Ann', answer: null }],
    });
    expect(plannedWalksWithWaiting([{ ...walk, id: 'new' }], [create], own)).toMatchObject([
      { place_name: 'Green', isWaiting: false },
    ]);
  });

  test('apply an edit and the cancellation of a walk that wasn’t sent itself', () => {
    const edit = waiting('plannedWalks.update', {
      params: { id: 'new' },
      body: { ...fields, place_name: 'Elm Park' },
    });
    const cancel = waiting('plannedWalks.cancel', { params: { id: 'new' } });
    expect(plannedWalksWithWaiting([], [create, edit, cancel], own)).toMatchObject([
      { id: 'new', place_name: 'Elm Park', is_canceled: true },
    ]);
  });

  test('keep answers on an edit, but not when the walk is moved', () => {
    const edit = (starts_at: string) =>
      waiting('plannedWalks.update', {
        params: { id: 'walk' },
        body: { ...fields, starts_at, participant_ids: ['ann', 'bob'] },
      });
    const answers = (call: WaitingCall) =>
      plannedWalksWithWaiting([walk], [call], own)[0]?.participants.map(({ name, answer }) => [
        name,
        answer,
      ]);
    expect(answers(edit(walk.starts_at))).toEqual([
      ['Ann', 'yes'],
      ['Bob', null],
    ]);
    expect(answers(edit(fields.starts_at))).toEqual([
      ['Ann', null],
      ['Bob', null],
    ]);
  });

  test('show an answer at once', () => {
    const answer = waiting('plannedWalks.answer', {
      params: { id: 'walk' },
      body: { answer: 'maybe', starts_at: walk.starts_at },
    });
    expect(plannedWalksWithWaiting([walk], [answer], own)).toMatchObject([
      { own_answer: 'maybe', isWaiting: true },
    ]);
  });
});

describe('the next planned walks', () => {
  const walk = (more: Partial<ShownPlannedWalk> = {}): ShownPlannedWalk => ({
    id: 'walk',
    starts_at: new Date(NOW + HOUR_MS).toISOString(),
    place_name: 'Oak Park',
    location_id: null,
    latitude: null,
    longitude: null,
    note: '',
    is_canceled: false,
    organizer: { user_id: 'ann', name: 'Ann' },
    is_own: false,
    own_answer: null,
    participants: [],
    others: { count: 0, coming: 0 },
    isWaiting: false,
    ...more,
  });

  test('are two that lie ahead, aren’t canceled and weren’t turned down', () => {
    const over = walk({ id: 'over', starts_at: new Date(NOW).toISOString() });
    const canceled = walk({ id: 'canceled', is_canceled: true });
    const refused = walk({ id: 'refused', own_answer: 'no' });
    const [first, second, third] = ['a', 'b', 'c'].map((id) => walk({ id }));
    const walks = [over, canceled, refused, first!, second!, third!];
    expect(nextWalks(walks, NOW).map(({ id }) => id)).toEqual(['a', 'b']);
  });

  test('are compared with the start of another one, up to an hour apart', () => {
    const starts = NOW + 5 * HOUR_MS;
    const at = (ms: number, more: Partial<ShownPlannedWalk> = {}) =>
      walk({ starts_at: new Date(ms).toISOString(), ...more });
    const other = (walks: ShownPlannedWalk[], except?: string) =>
      walkAtSameTime(walks, starts, { except, now: NOW })?.id;
    expect(other([at(starts + HOUR_MS - 1)])).toBe('walk');
    expect(other([at(starts - HOUR_MS + 1)])).toBe('walk');
    expect(other([at(starts + HOUR_MS), at(starts - HOUR_MS)])).toBeUndefined();
    expect(other([at(starts)], 'walk')).toBeUndefined();
    expect(other([at(starts, { is_canceled: true })])).toBeUndefined();
    expect(other([at(starts, { own_answer: 'no' })])).toBeUndefined();
    expect(walkAtSameTime([at(starts)], Number.NaN, { except: undefined, now: NOW })).toBe(
      undefined,
    );
  });

  test('say how the owner answered, or how many come to the owner’s walk', () => {
    const bob = { user_id: 'bob', name: 'Bob', answer: 'yes' as const };
    expect(answerState(walk())).toBe('Ann invited you. Are you coming?');
    expect(answerState(walk({ own_answer: 'yes' }))).toBe('You’re going with Ann');
    expect(answerState(walk({ own_answer: 'maybe' }))).toBe('You may go with Ann');
    expect(answerState(walk({ is_own: true }))).toBe('No one has accepted yet');
    expect(answerState(walk({ is_own: true, participants: [bob] }))).toBe('1 coming');
  });
});
