// @vitest-environment jsdom
import { beforeEach, expect, test } from 'vitest';
import type { OwnThread } from '../../../client/features/chat/thread/use-thread.ts';
import type { Delivery } from '../../../client/features/chat/types.ts';
import { MessageList } from '../../../client/features/chat/view/message-list.tsx';
import { reachability } from '../../../client/platform/http/reachability.ts';
import { renderScreen } from '../../render-screen.tsx';

beforeEach(() => {
  Element.prototype.scrollTo = () => {};
});

const message = (delivery: Delivery) => ({
  id: 'one',
  text: 'Hello',
  at: '2026-11-21T12:00:00.000Z',
  isOwn: true,
  delivery,
});

/** Renders a thread with one message of one's own. */
async function renderList(change: Partial<OwnThread> & { delivery?: Delivery } = {}) {
  const { delivery = 'server', ...rest } = change;
  const thread = {
    messages: [message(delivery)],
    newest: [message(delivery)],
    hasEarlier: false,
    hasLater: false,
    missing: null,
    firstNewId: null,
    found: null,
    unread: [],
    isBefore: () => false,
    friendIsTyping: false,
    find: () => ({ id: null, message: null }),
    show: () => Promise.resolve(),
    pin: () => {},
    ...rest,
  } as unknown as OwnThread;
  const actions = { onReply: () => {}, onReport: () => {}, onUnsend: () => {} };
  const { text } = await renderScreen(
    <MessageList thread={thread} name="Sam" actions={actions as never} />,
  );
  return text();
}

test.each([
  // Without documents, there is no connection.
  ['device', 'Waiting for connection'],
  ['server', 'Sent'],
  ['delivered', 'Delivered'],
  ['read', 'Read'],
  ['held', 'Waiting for a moderator. No one else can see it yet.'],
] as const)(
  'an own message with the delivery status %s is labeled “%s”',
  async (delivery, words) => {
    const text = await renderList({ delivery });
    expect(text).toMatch(new RegExp(`${words}(?!\\w)`));
  },
);

test.each(['earlier', 'later'] as const)(
  'offers %s messages that can’t be loaded offline, and says how to get them',
  async (way) => {
    const more = way === 'earlier' ? { hasEarlier: true } : { hasLater: true };
    const sentence = `Connect to the internet once to load ${way} messages.`;
    expect(await renderList(more)).not.toContain(sentence);
    // With a network, that isn't the cause.
    const reached = await renderList({ ...more, missing: way });
    expect(reached).toContain(`We couldn’t load ${way} messages yet.`);
    reachability.set(false);
    const text = await renderList({ ...more, missing: way });
    reachability.set(true);
    expect(text).toContain(`Load ${way} messages`);
    expect(text).toContain(sentence);
  },
);
