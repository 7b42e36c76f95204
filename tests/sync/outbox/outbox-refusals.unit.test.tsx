// @vitest-environment jsdom
import { toast } from 'sonner';
import { expect, test, vi } from 'vitest';

const outbox = vi.hoisted(() => ({ report: null as ((outcome: object) => void) | null }));
vi.mock('../../../client/platform/sync/documents/use-document.ts', () => {
  const documents = { userId: 'ann' };
  return { useDocuments: () => documents };
});
vi.mock('../../../client/platform/sync/outbox/outbox.ts', async (importOriginal) => ({
  ...(await importOriginal<object>()),
  outboxOf: () => ({
    onOutcome(report: (outcome: object) => void) {
      outbox.report = report;
      return () => {};
    },
  }),
}));

// Files share modules. One that was loaded without these mocks would keep what it imported.
vi.resetModules();
await import('../../../client/app/features.ts');
const { CallError } = await import('../../../client/platform/http/api-client.ts');
const { useOutboxRefusals } = await import('../../../client/platform/sync/outbox/use-outbox.ts');
const { renderScreen } = await import('../../render-screen.tsx');

function Refusals() {
  useOutboxRefusals();
  return null;
}

/** Lets the server refuse a call of the outbox. @returns the toasts that are shown */
async function refuse(name: string, label = '', input = {}) {
  const screen = await renderScreen(<Refusals />);
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('visible');
  const shown = vi.spyOn(toast, 'error').mockReturnValue('');
  const refusal = new CallError('The server’s words', 400, 'failed');
  outbox.report?.({ call: { name, label, input }, refusal });
  // The calls are loaded when they are needed.
  await import('../../../client/platform/sync/outbox/outbox-calls.ts');
  await screen.pass(1_000);
  return { refusal, toasts: shown.mock.calls };
}

test.each([
  ['alerts.acknowledge', 'Failed to acknowledge alert'],
  ['charities.donate', 'Failed to record donation'],
])('a refusal of %s is only logged, as “%s”', async (name, words) => {
  const { refusal, toasts } = await refuse(name);
  expect(console.error).toHaveBeenCalledWith(words, refusal);
  expect(toasts).toEqual([]);
});

test('a refused friend request names the person, with the server’s words', async () => {
  const { toasts } = await refuse('friends.request', 'Sam');
  expect(toasts).toEqual([
    ['Failed to send friend request: Sam', { description: 'The server’s words' }],
  ]);
});

test('a refused visit names the place, with the server’s words', async () => {
  const { toasts } = await refuse('locations.visit', 'Cedar Park');
  expect(toasts).toEqual([
    ['Failed to record visit: Cedar Park', { description: 'The server’s words' }],
  ]);
});

test.each([
  ['messages.edit', { message_text: 'See you at the gate' }, 'See you at the gate'],
  [
    'locations.addTip',
    { title: 'Mud', content: 'After rain', tip_type: 'general' },
    'Mud\nAfter rain',
  ],
  ['reports.create', { message_text: 'Theirs', description: 'It’s rude' }, 'It’s rude'],
  ['plannedWalks.create', { note: 'Bring water', place_name: 'Park' }, 'Bring water'],
])('a refusal of %s gives back what the user wrote', async (name, body, written) => {
  const { toasts } = await refuse(name, '', { body });
  const writeText = vi.fn<(text: string) => Promise<void>>(async () => {});
  vi.stubGlobal('navigator', { clipboard: { writeText } });
  const [title, { description, action }] = toasts[0] as unknown as [
    string,
    { description: string; action: { onClick(): void } },
  ];
  expect(title).toBe('The server’s words');
  expect(description).toBe(`You wrote: “${written}”`);
  action.onClick();
  expect(writeText).toHaveBeenCalledWith(written);
});

test.each([
  ['refuses to copy', { writeText: async () => Promise.reject(new Error()) }],
  ['has no clipboard, as on plain http,', undefined],
])('a browser that %s shows the whole of what the user wrote', async (_, clipboard) => {
  const written = 'Long '.repeat(100).trim();
  const { toasts } = await refuse('hazards.create', '', { body: { description: written } });
  vi.stubGlobal('navigator', { clipboard });
  const [, { description, action }] = toasts[0] as unknown as [
    string,
    { description: string; action: { onClick(): void } },
  ];
  expect(description.length).toBeLessThan(written.length);
  action.onClick();
  await vi.waitFor(() => expect(toasts[1]?.[1]).toMatchObject({ description: written }));
});
