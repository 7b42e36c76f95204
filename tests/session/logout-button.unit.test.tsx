// @vitest-environment jsdom
import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { NO_SYNC, type SyncState } from '../../client/platform/sync/state/document-state.ts';

let sync: SyncState = NO_SYNC;
const logout = vi.fn<() => Promise<void>>(async () => {});
vi.mock('../../client/platform/sync/documents/use-document.ts', () => ({
  useSyncState: () => sync,
  useDocuments: () => null,
}));
vi.mock('../../client/platform/sync/outbox/use-outbox.ts', () => ({
  useUnsent: () => ({ pictures: 0, sounds: 0, actions: 0 }),
}));
vi.mock('../../client/platform/session/use-auth.tsx', () => ({
  useAuthActions: () => ({ logout }),
}));

beforeEach(() => logout.mockClear());

async function pressLogout(state: Partial<SyncState>) {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  vi.stubGlobal('matchMedia', () => ({ matches: false }));
  sync = { ...NO_SYNC, connection: 'connected', isConfirmed: true, isCompared: true, ...state };
  const { LogoutButton } = await import('../../client/platform/sign-out/logout-button.tsx');
  const root = createRoot(document.body.appendChild(document.createElement('div')));
  onTestFinished(() => {
    act(() => root.unmount());
    vi.unstubAllGlobals();
  });
  act(() => root.render(<LogoutButton />));
  await act(async () => document.querySelector('button')!.click());
}

test('a logout that would lose what the server refused asks first, and says how much', async () => {
  await pressLogout({ refused: 2, refusal: 'full', unconfirmed: 1 });
  expect(document.body.textContent).toContain('Not saved on our server yet: 3 changes.');
  expect(logout).not.toHaveBeenCalled();
});

test('a logout that loses nothing asks nothing', async () => {
  await pressLogout({});
  expect(logout).toHaveBeenCalledOnce();
});
