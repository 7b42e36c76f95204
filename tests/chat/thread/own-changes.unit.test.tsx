// @vitest-environment jsdom
import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { afterAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import type { UserDocuments } from '../../../client/platform/sync/documents/user-documents.ts';
import { NO_SYNC } from '../../../client/platform/sync/state/document-state.ts';
import { openDatabase } from '../../../client/platform/sync/storage/local-database.ts';
import { freshIndexedDb } from '../../fresh-indexed-db.ts';

// Unit tests share the modules of their worker: those that another file loaded would not have these mocks.
vi.hoisted(() => vi.resetModules());
afterAll(() => vi.resetModules());

let shown: { withdrawn: string[]; edits: Record<string, string> };
let seen: UserDocuments;
vi.mock('../../../client/platform/sync/documents/use-document.ts', () => ({
  useDocuments: () => seen,
  useDocumentsValue: (read: (documents: UserDocuments) => unknown) => read(seen),
}));
const { useOwnChanges } = await import('../../../client/features/chat/thread/use-own-changes.ts');
const { outboxOf } = await import('../../../client/platform/sync/outbox/outbox.ts');

/** A tab of the same user. Only a connected one sends. */
function tab(isConnected: boolean): UserDocuments {
  const threads = {
    showOwnChanges: (withdrawn: Set<string>, edits: Map<string, string>) =>
      (shown = { withdrawn: [...withdrawn], edits: Object.fromEntries(edits) }),
  };
  const documents = {
    userId: 'ann',
    database: openDatabase('ann'),
    isClosed: false,
    subscribe: () => () => {},
    noteRefusing() {},
    noteUnreadable() {},
    getDocument: () => ({ status: 'loading', doc: null }),
    getSyncState: () => ({
      ...NO_SYNC,
      connection: isConnected ? 'connected' : 'offline',
      isConfirmed: isConnected,
    }),
    part: () => threads,
  } as unknown as UserDocuments;
  onTestFinished(() => void Object.assign(documents, { isClosed: true }));
  return documents;
}

function Watcher() {
  useOwnChanges();
  return null;
}

async function watch(documents: UserDocuments) {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  seen = documents;
  const root = createRoot(document.createElement('div'));
  onTestFinished(() => {
    act(() => root.unmount());
    vi.unstubAllGlobals();
  });
  await act(async () => root.render(<Watcher />));
}

const NOTHING = { withdrawn: [], edits: {} };
const MESSAGE = 'automerge:2ZwTGiBYG6Ujjm65wQrPbp2chquc.key';

beforeEach(() => {
  freshIndexedDb();
  vi.spyOn(console, 'error').mockReturnValue();
  shown = NOTHING;
});

test.each(['messages.edit', 'messages.unsend'] as const)(
  'a refused call %s is as before in a tab that did not send it',
  async (name) => {
    const refusal = { error: 'Too late', code: 'too_late' };
    const sent = vi.fn<typeof fetch>(async () => Response.json(refusal, { status: 409 }));
    vi.stubGlobal('fetch', sent);
    const [own, other] = [tab(false), tab(true)];
    await watch(own);
    const input = { params: { id: MESSAGE }, body: { message_text: 'New words' } };
    await act(() => outboxOf(own).add(name, input, 'Bo'));
    expect(shown).not.toEqual(NOTHING);
    outboxOf(other);
    await vi.waitFor(() => expect(sent).toHaveBeenCalledOnce(), 10_000);
    await vi.waitFor(() => expect(shown).toEqual(NOTHING));
  },
);

test('an unsending that the user took back in another tab is shown again', async () => {
  const [own, other] = [tab(false), tab(false)];
  await watch(own);
  const key = await act(() =>
    outboxOf(own).add('messages.unsend', { params: { id: MESSAGE } }, 'Bo', 5_000),
  );
  expect(shown.withdrawn).toEqual(['key']);
  expect(await outboxOf(other).takeBack(key)).toBe(true);
  await vi.waitFor(() => expect(shown).toEqual(NOTHING));
});
