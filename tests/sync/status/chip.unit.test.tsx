// @vitest-environment jsdom
import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { expect, onTestFinished, test, vi } from 'vitest';
import { NO_SYNC, type SyncState } from '../../../client/platform/sync/state/document-state.ts';

let sync: SyncState = { ...NO_SYNC, isConfirmed: true, isCompared: true };
vi.mock('../../../client/platform/sync/documents/use-document.ts', () => ({
  useSyncState: () => sync,
}));
vi.mock('../../../client/platform/sync/outbox/use-outbox.ts', () => ({
  useUnsent: () => ({ pictures: 0, sounds: 0, actions: 0 }),
}));

test.each(['connected', 'offline'] as const)(
  'while %s, the chip and what it explains stop claiming that all is saved with the first change that is not',
  async (connection) => {
    vi.useFakeTimers();
    vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
    const { SyncChip } = await import('../../../client/platform/sync/status/sync-status-chip.tsx');
    await import('../../../client/platform/sync/status/sync-status-popover.tsx');
    const root = createRoot(document.body.appendChild(document.createElement('div')));
    onTestFinished(() => {
      act(() => root.unmount());
      vi.useRealTimers();
      vi.unstubAllGlobals();
    });
    const draw = (state: Partial<SyncState>) => {
      sync = { ...sync, connection, ...state };
      act(() => root.render(<SyncChip />));
    };
    const settle = () => act(() => vi.advanceTimersByTimeAsync(1_000));
    draw({ unconfirmed: 0, isConfirmed: true });
    await settle();
    act(() => document.querySelector('button')!.click());
    await settle();
    const text = () => document.body.textContent;
    expect(text()).toContain('All your changes are saved');
    draw({ unconfirmed: 1, isConfirmed: false });
    expect(text()).not.toContain('are saved');
    expect(text()).toContain('1 change');
  },
);
