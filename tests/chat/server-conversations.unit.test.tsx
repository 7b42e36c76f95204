// @vitest-environment jsdom
import { expect, test } from 'vitest';
import { useServerConversations } from '../../client/features/chat/conversations/use-server-conversations.ts';
import { renderScreen } from '../render-screen.tsx';

function List({ isWanted }: { isWanted: boolean }) {
  const { listed } = useServerConversations(isWanted);
  return listed?.map(({ name, preview }) => `${name}: ${preview}`).join();
}
const CALL = 'GET /api/conversations';
const answers = {
  [CALL]: {
    conversations: [
      {
        friend_user_id: 'kim',
        friend_display_name: 'Kim',
        last_message: 'Hello',
        is_own: false,
        unread_count: 1,
        last_activity: '2026-11-21T00:00:00.000Z',
      },
    ],
  },
};

test('a device without documents polls the conversations every 30 s', async () => {
  const { requests, pass, text } = await renderScreen(<List isWanted />, { answers });
  const polls = () => requests.filter((name) => name === CALL).length;
  expect(text()).toContain('Kim: Hello');
  expect(polls()).toBe(1);
  await pass(29_999);
  expect(polls()).toBe(1);
  await pass(1);
  expect(polls()).toBe(2);
  await pass(30_000);
  expect(polls()).toBe(3);
});

test('a device with documents doesn’t poll the conversations', async () => {
  const { requests, pass } = await renderScreen(<List isWanted={false} />, { answers });
  await pass(120_000);
  expect(requests).not.toContain(CALL);
});
