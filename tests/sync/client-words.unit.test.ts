import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import type { SyncState } from '../../client/repo.ts';
import { RISK, syncWords } from '../../client/sync/sync-words.ts';

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

it('says saved when the server has confirmed everything and no picture waits, and never otherwise', () => {
  fc.assert(
    fc.property(states, fc.nat(3), (state, pictures) => {
      const isSaved = state.connection === 'connected' && state.isConfirmed && pictures === 0;
      const words = syncWords(state, pictures);
      expect(words.state === 'saved').toBe(isSaved);
      expect(words.label === 'Saved').toBe(isSaved);
    }),
  );
});

it('says offline exactly when there is no connection, and counts what waits', () => {
  fc.assert(
    fc.property(states, fc.nat(3), (state, pictures) => {
      const words = syncWords(state, pictures);
      expect(words.state === 'offline').toBe(state.connection === 'offline');
      expect(words.toSend).toBe(words.state === 'offline' ? state.unconfirmed + pictures : 0);
    }),
  );
});

it('names changes and pictures in words', () => {
  const waiting = { ...saved, connection: 'offline', isConfirmed: false, unconfirmed: 2 } as const;
  expect(syncWords(waiting, 1).explanation).toBe(
    'You are offline. 2 changes and 1 picture kept on this device and not saved on our server yet, sent as soon as there is a connection.',
  );
  expect(syncWords({ ...saved, connection: 'offline' }, 0).explanation).toContain(
    'Everything on this device is saved on our server.',
  );
});

it('adds what may be lost where the browser keeps nothing', () => {
  const words = syncWords({ ...saved, storage: 'memory' }, 0);
  expect(words.atRisk).toBe(true);
  expect(words.explanation).toContain(RISK.memory);
  expect(
    syncWords({ ...saved, connection: 'offline', unconfirmed: 1, storage: 'memory' }, 0)
      .explanation,
  ).not.toContain('kept on this device');
});
