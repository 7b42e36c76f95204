// @vitest-environment jsdom
import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { NO_SYNC, type SyncState } from '../../client/platform/sync/state/document-state.ts';
import type { Unsent } from '../../client/platform/sync/state/sync-status-text.ts';

let sync: SyncState = NO_SYNC;
const NOTHING = { pictures: 0, sounds: 0, actions: 0 };
let unsent: Unsent = NOTHING;
const logout = vi.fn<() => Promise<void>>(async () => {});
vi.mock('../../client/platform/sync/documents/use-document.ts', () => ({
  useSyncState: () => sync,
  useDocuments: () => null,
}));
vi.mock('../../client/platform/sync/outbox/use-outbox.ts', () => ({
  useUnsent: () => unsent,
}));
vi.mock('../../client/platform/session/use-auth.tsx', () => ({
  useAuthActions: () => ({ logout }),
}));

beforeEach(() => {
  logout.mockClear();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  return () => vi.useRealTimers();
});

async function pressLogout(state: Partial<SyncState>, waiting: Partial<Unsent> = {}) {
  unsent = { ...NOTHING, ...waiting };
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  vi.stubGlobal('matchMedia', () => ({ matches: false }));
  sync = { ...NO_SYNC, connection: 'connected', isConfirmed: true, isCompared: true, ...state };
  const { LogoutButton } = await import('../../client/platform/sign-out/logout-button.tsx');
  const root = createRoot(document.body.appendChild(document.createElement('div')));
  onTestFinished(() => {
    act(() => root.unmount());
    vi.unstubAllGlobals();
  });
  const render = () => act(async () => root.render(<LogoutButton key="same" />));
  await render();
  await act(async () => document.querySelector('button')!.click());
  await pass(0);
  return render;
}

const pass = (ms: number) => act(async () => void (await vi.advanceTimersByTimeAsync(ms)));

test('a logout that would lose what the server refused asks first, and says how much', async () => {
  await pressLogout({ refused: 2, refusal: 'full', unconfirmed: 1 });
  expect(document.body.textContent).toContain('Not saved on our server yet: 3 changes.');
  expect(logout).not.toHaveBeenCalled();
});

test('a logout that loses nothing asks nothing', async () => {
  await pressLogout({});
  expect(logout).toHaveBeenCalledOnce();
});

test('a logout that would lose a picture that the server refused, or a place to decide about, asks first', async () => {
  await pressLogout({}, { refused: { pictures: 1, sounds: 0, actions: 1 } });
  expect(document.body.textContent).toContain('1 photo or voice note and 1 action');
  expect(logout).not.toHaveBeenCalled();
});

test.each([
  ['the journal', { isUnread: true }, {}],
  ['a list', {}, { isUnread: true }],
])('a logout before %s is read waits, and asks if that takes long', async (_, state, waiting) => {
  await pressLogout(state, waiting);
  expect(logout).not.toHaveBeenCalled();
  await pass(3_000);
  expect(document.body.textContent).toContain('maybe something that this device hasn’t read yet');
  expect(logout).not.toHaveBeenCalled();
});

test('a logout asks about what was read after it was pressed', async () => {
  const render = await pressLogout({ isUnread: true });
  sync = { ...sync, isUnread: false, unconfirmed: 2 };
  await render();
  await pass(0);
  expect(document.body.textContent).toContain('Not saved on our server yet: 2 changes.');
  expect(logout).not.toHaveBeenCalled();
});

test('a logout goes on by itself once it is known that it loses nothing', async () => {
  const render = await pressLogout({ isUnread: true });
  sync = { ...sync, isUnread: false };
  await render();
  await pass(0);
  expect(logout).toHaveBeenCalledOnce();
});
