// @vitest-environment jsdom
import { act } from 'react';
import { afterAll, beforeEach, expect, test, vi } from 'vitest';
import type { OwnThread } from '../../../client/features/chat/thread/use-thread.ts';
import type { UserDocuments } from '../../../client/platform/sync/documents/user-documents.ts';
import { renderScreen } from '../../render-screen.tsx';

// Unit tests share the modules of their worker: those that another file loaded would not have these mocks.
vi.hoisted(() => vi.resetModules());
afterAll(() => vi.resetModules());

const outbox = vi.hoisted(() => ({ add: async () => {}, whenStored: async () => true }));
const documents = vi.hoisted(() => ({
  userId: 'ann',
  database: Promise.resolve(null),
  subscribe: () => () => {},
  getDocument: () => ({ status: 'loading', doc: null }),
  noteRefusing() {},
  noteUnreadable() {},
}));
vi.mock('../../../client/platform/sync/documents/use-document.ts', () => ({
  useDocuments: () => documents,
}));
vi.mock('../../../client/features/chat/attachments/attachment-outbox.ts', () => ({
  attachmentsOf: () => outbox,
}));
vi.mock('../../../client/features/chat/composer/use-drafts.ts', () => ({
  useDraft: () => ({ text: '', copy: null, write() {}, choose() {}, clear() {} }),
}));
vi.mock('../../../client/features/moderation/sanction-notice.tsx', () => ({
  SanctionNotice: () => null,
}));
vi.mock('../../../client/features/moderation/use-account-status.ts', () => ({
  useAccountStatus: () => ({ restriction: null }),
}));
vi.mock('../../../client/features/moderation/use-guidelines-acceptance.ts', () => ({
  useGuidelinesAcceptance: () => ({ acceptedAt: '2026-11-21T12:00:00.000Z', isLoading: false }),
}));
vi.mock('../../../client/features/moderation/use-word-filter.ts', () => ({
  useWordFilter: () => () => 'sent',
}));

const { attachedOf } = await import('../../../client/features/chat/composer/attached.ts');
const { Composer } = await import('../../../client/features/chat/composer/composer.tsx');

const files = attachedOf(documents as unknown as UserDocuments);
const photos = ['one', 'two', 'three'].map((name, i) => ({
  file: new File([name], name),
  width: i + 1,
  height: 1,
}));

beforeEach(() => {
  vi.stubGlobal(
    'URL',
    Object.assign(URL, { createObjectURL: () => 'blob:photo', revokeObjectURL() {} }),
  );
});

test('photos that could not be written stay attached, and those before them do not', async () => {
  const sent: number[] = [];
  const thread = {
    status: 'ready',
    isFrozen: false,
    setTyping() {},
    send: (_text: string, { photo }: { photo: { width: number } }) => {
      if (photo.width === 2) throw new Error('Full');
      sent.push(photo.width);
      return { key: `${photo.width}`, number: 1, isOwn: true };
    },
  } as unknown as OwnThread;
  const { text } = await renderScreen(
    <Composer
      thread={thread}
      friendUserId="bo"
      name="Bo"
      replyTo={null}
      onReplied={() => {}}
      edit={null}
      onEdit={() => {}}
      onEdited={() => {}}
      onGuidelines={() => {}}
    />,
  );
  await act(() => files.change('bo', () => ({ photos, voice: null })));
  await act(async () => document.querySelector<HTMLElement>('[aria-label="Send"]')!.click());
  expect(sent).toEqual([1]);
  expect(files.of('bo').photos).toEqual([photos[1], photos[2]]);
  expect(text()).toContain('Please send it again.');
});
