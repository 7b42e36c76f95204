import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { refusalReasons } from '#shared/sync/refusals.ts';
import { NO_SYNC, type SyncState } from '../../../client/platform/sync/state/document-state.ts';
import {
  riskWords,
  syncWords,
  type Unsent,
} from '../../../client/platform/sync/state/sync-status-text.ts';

const states: fc.Arbitrary<SyncState> = fc.record({
  connection: fc.constantFrom('connecting', 'connected', 'offline'),
  isRejected: fc.constant(false),
  isConfirmed: fc.boolean(),
  isCompared: fc.boolean(),
  unconfirmed: fc.nat(50),
  refused: fc.nat(5),
  refusal: fc.constantFrom(null, 'full', 'invalid'),
  hasLeftOut: fc.boolean(),
  hasNoRoom: fc.boolean(),
  obstacle: fc.constant(null),
  storage: fc.constantFrom('device', 'refusing', 'memory'),
  hasLostStorage: fc.boolean(),
  isUnread: fc.boolean(),
  isUnreadable: fc.boolean(),
});

const saved: SyncState = {
  ...NO_SYNC,
  connection: 'connected',
  isConfirmed: true,
  isCompared: true,
};

const unsent: fc.Arbitrary<Unsent> = fc.record({
  pictures: fc.nat(2),
  sounds: fc.nat(2),
  actions: fc.nat(2),
  refused: fc.record({ pictures: fc.nat(1), sounds: fc.nat(1), actions: fc.nat(1) }),
  isUnread: fc.boolean(),
});
const NOTHING: Unsent = { pictures: 0, sounds: 0, actions: 0 };

it('shows Saved exactly when the server confirmed everything, refused nothing, and nothing is queued', () => {
  fc.assert(
    fc.property(states, unsent, (state, waiting) => {
      const { pictures, sounds, actions, refused, isUnread } = waiting;
      const isSaved =
        state.connection === 'connected' &&
        state.isConfirmed &&
        state.isCompared &&
        state.refusal === null &&
        !state.hasLeftOut &&
        !state.hasNoRoom &&
        pictures + sounds + actions === 0 &&
        refused!.pictures + refused!.sounds + refused!.actions === 0 &&
        !state.isUnread &&
        !state.isUnreadable &&
        !isUnread;
      const words = syncWords(state, waiting);
      expect(words.state === 'saved').toBe(isSaved);
      expect(words.label === 'Saved').toBe(isSaved);
    }),
  );
});

it('says when its texts claim that changes are saved', () => {
  fc.assert(
    fc.property(states, unsent, (state, waiting) => {
      const { claimsSaved, label, explanation } = syncWords(state, waiting);
      const isClaimed = label === 'Saved' || /changes are saved/.test(explanation);
      expect(claimsSaved).toBe(isClaimed);
    }),
  );
});

it('shows Offline exactly without a connection, and counts unsent changes', () => {
  fc.assert(
    fc.property(states, unsent, (state, waiting) => {
      const words = syncWords(state, waiting);
      const all = state.unconfirmed + waiting.pictures + waiting.sounds + waiting.actions;
      expect(words.state === 'offline').toBe(state.connection === 'offline');
      expect(words.toSend).toBe(words.state === 'offline' ? all : 0);
    }),
  );
});

it('names changes, pictures and actions in the explanation', () => {
  const waiting = { ...saved, connection: 'offline', isConfirmed: false, unconfirmed: 2 } as const;
  expect(syncWords(waiting, { ...NOTHING, pictures: 1 }).explanation).toBe(
    'You’re offline. Not saved on our server yet: 2 changes and 1 photo or voice note, stored on this device. We’ll sync once you’re online.',
  );
  expect(syncWords(waiting, { ...NOTHING, pictures: 1, actions: 3 }).explanation).toContain(
    '2 changes, 1 photo or voice note and 3 actions, stored on this device',
  );
  expect(syncWords(saved, { ...NOTHING, actions: 1 }).explanation).toBe(
    'Sending 1 action to our server.',
  );
  expect(syncWords({ ...saved, connection: 'offline' }, NOTHING).explanation).toContain(
    'All your changes are saved on our server; walks stay on this device.',
  );
});

it('says that walks are not among what is saved on the server', () => {
  expect(syncWords(saved, NOTHING).explanation).toBe(
    'All your changes are saved on our server. Walks stay on this device.',
  );
});

it('warns about possible loss when the browser stores nothing', () => {
  const words = syncWords({ ...saved, storage: 'memory' }, NOTHING);
  expect(words.atRisk).toBe(true);
  expect(words.explanation).toContain('isn’t storing anything on this device');
  expect(
    syncWords({ ...saved, connection: 'offline', unconfirmed: 1, storage: 'memory' }, NOTHING)
      .explanation,
  ).not.toContain('stored on this device');
});

it('says both that the browser deleted what was stored and that it stores nothing', () => {
  const lost = { ...saved, hasLostStorage: true };
  expect(riskWords(lost)).toMatch(/^This browser deleted what was stored/);
  expect(riskWords({ ...lost, storage: 'refusing' })).toMatch(
    /can’t store your edits .* deleted what was stored/,
  );
  const waiting = { ...lost, connection: 'offline', unconfirmed: 1 } as const;
  expect(syncWords(waiting, NOTHING).explanation).not.toContain(', stored on this device');
});

it('says what the server refused and why, and that it stays on this device', () => {
  const refused: SyncState = { ...saved, refused: 2, refusal: 'full' };
  expect(syncWords(refused, NOTHING)).toMatchObject({
    state: 'refused',
    label: 'Not all saved',
    explanation:
      'All other changes are saved. Our server didn’t save 2 changes. There’s no space left for them. They’re stored on this device, and we’ll send them again later.',
  });
  expect(syncWords({ ...refused, refused: 1 }, NOTHING).explanation).toBe(
    'All other changes are saved. Our server didn’t save 1 change. There’s no space left for it. It’s stored on this device, and we’ll send it again later.',
  );
  const offline = syncWords({ ...refused, connection: 'offline' }, NOTHING);
  expect(offline.label).toBe('Offline');
  expect(offline.explanation).toContain('Our server didn’t save 2 changes.');
  expect(offline.explanation).not.toContain('changes are saved');
  const unreadable = syncWords({ ...saved, refusal: 'unavailable' }, NOTHING);
  expect(unreadable.explanation).toContain('Our server can’t open some of your data.');
});

it('speaks of one refused change as one, whatever the reason', () => {
  for (const refusal of refusalReasons) {
    const one = syncWords({ ...saved, refused: 1, refusal }, NOTHING).explanation;
    expect(one).toContain('1 change.');
    expect(one).not.toMatch(/\b(them|they)\b|they’re/i);
    const several = syncWords({ ...saved, refused: 2, refusal }, NOTHING).explanation;
    expect(several).toContain('2 changes.');
    expect(several).not.toMatch(/\b(it|it’s)\b/i);
  }
});

it('asks to reload the app when the server does not understand it, instead of claiming to be offline', () => {
  const rejected: SyncState = { ...saved, connection: 'offline', isRejected: true };
  expect(syncWords({ ...rejected, unconfirmed: 1 }, NOTHING)).toMatchObject({
    state: 'refused',
    label: 'Not syncing',
    explanation:
      'Our server doesn’t understand this version of the app. Reload this page. Not saved on our server yet: 1 change.',
  });
});
