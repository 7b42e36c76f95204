import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import type { SyncState } from '../../../client/sync/documents/document-state.ts';
import { RISK, syncWords, type Unsent } from '../../../client/sync/status/sync-status-text.ts';

const states: fc.Arbitrary<SyncState> = fc.record({
  connection: fc.constantFrom('connecting', 'connected', 'offline'),
  isConfirmed: fc.boolean(),
  unconfirmed: fc.nat(50),
  storage: fc.constantFrom('device', 'refusing', 'memory'),
});

const saved: SyncState = {
  connection: 'connected',
  isConfirmed: true,
  unconfirmed: 0,
  storage: 'device',
};

const unsent: fc.Arbitrary<Unsent> = fc.record({
  pictures: fc.nat(2),
  sounds: fc.nat(2),
  actions: fc.nat(2),
});
const NOTHING: Unsent = { pictures: 0, sounds: 0, actions: 0 };

it('shows Saved exactly when the server confirmed everything and nothing is queued', () => {
  fc.assert(
    fc.property(states, unsent, (state, waiting) => {
      const { pictures, sounds, actions } = waiting;
      const isSaved =
        state.connection === 'connected' && state.isConfirmed && pictures + sounds + actions === 0;
      const words = syncWords(state, waiting);
      expect(words.state === 'saved').toBe(isSaved);
      expect(words.label === 'Saved').toBe(isSaved);
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
    'You’re offline. Not saved on our server yet: 2 changes and 1 picture, stored on this device. We’ll sync once you’re online.',
  );
  expect(syncWords(waiting, { ...NOTHING, pictures: 1, actions: 3 }).explanation).toContain(
    '2 changes, 1 picture and 3 actions, stored on this device',
  );
  expect(syncWords(saved, { ...NOTHING, actions: 1 }).explanation).toBe(
    'Sending 1 action to our server.',
  );
  expect(syncWords({ ...saved, connection: 'offline' }, NOTHING).explanation).toContain(
    'Everything on this device is saved on our server.',
  );
});

it('warns about possible loss when the browser stores nothing', () => {
  const words = syncWords({ ...saved, storage: 'memory' }, NOTHING);
  expect(words.atRisk).toBe(true);
  expect(words.explanation).toContain(RISK.memory);
  expect(
    syncWords({ ...saved, connection: 'offline', unconfirmed: 1, storage: 'memory' }, NOTHING)
      .explanation,
  ).not.toContain('stored on this device');
});
