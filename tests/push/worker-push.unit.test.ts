import { beforeEach, describe, expect, test, vi, type Mock } from 'vitest';
import type { PushContent } from '#shared/push/contract.ts';
import { clearWalkPause, noteWalkPause } from '../../client/features/proximity/walk-pause.ts';
import {
  openNotification,
  renewSubscription,
  showPush,
} from '../../client/features/push/worker-push.ts';
import { ASK_PATH } from '../../client/platform/install/service-worker-messages.ts';

interface Page {
  visibilityState: 'visible' | 'hidden';
  focus: Mock<() => void>;
  postMessage: Mock<(message: unknown, ports?: MessagePort[]) => void>;
}

let pages: Page[];
const showNotification = vi.fn<(title: string, options: NotificationOptions) => void>();
const closed = vi.fn<(tag: string | undefined) => void>();
const openWindow = vi.fn<(path: string) => void>();
const subscribe = vi.fn<(options: PushSubscriptionOptionsInit) => Promise<unknown>>();
beforeEach(() => {
  pages = [];
  vi.resetAllMocks();
  stubCaches();
  vi.stubGlobal('self', {
    clients: { matchAll: async () => pages, openWindow },
    registration: {
      showNotification,
      getNotifications: async ({ tag }: GetNotificationOptions) => [{ close: () => closed(tag) }],
      pushManager: { subscribe },
    },
  });
});

/** A cache storage with one entry per cache. */
function stubCaches(): void {
  const entries = new Map<string, Response>();
  vi.stubGlobal('caches', {
    open: async (name: string) => ({
      put: async (_key: string, response: Response) => void entries.set(name, response),
    }),
    match: async (_key: string, { cacheName }: MultiCacheQueryOptions) =>
      entries.get(cacheName ?? '')?.clone(),
    delete: async (name: string) => entries.delete(name),
  });
}

function openPage(visibilityState: Page['visibilityState'], path = '/home'): Page {
  const page = {
    visibilityState,
    focus: vi.fn<() => void>(),
    postMessage: vi.fn<(message: unknown, ports?: MessagePort[]) => void>(
      (message, [port] = []) => {
        if ((message as { type: unknown }).type === ASK_PATH) port?.postMessage(path);
      },
    ),
  };
  pages.push(page);
  return page;
}

const message: PushContent = {
  kind: 'messages',
  title: 'Ann',
  body: 'New message',
  tag: 'message-ann',
  path: '/chat/ann',
  is_urgent: false,
};
const received = (content: unknown) =>
  showPush({ data: { json: () => content } } as unknown as PushEvent);
const clicked = (data: unknown) => {
  const notification = { data, close: vi.fn<() => void>() };
  return openNotification({ notification } as unknown as NotificationEvent);
};

describe('the service worker', () => {
  test('shows a push of a closed app under its tag, with the page to open', async () => {
    openPage('hidden');
    await received(message);
    expect(showNotification).toHaveBeenCalledExactlyOnceWith(
      'Ann',
      expect.objectContaining({
        body: 'New message',
        tag: 'message-ann',
        data: { path: '/chat/ann' },
        requireInteraction: false,
      }),
    );
  });

  test('shows every push, because Apple ends subscriptions that show nothing: silently while the app is on the screen', async () => {
    openPage('visible', '/locations');
    await received(message);
    await received({ ...message, is_urgent: true });
    await received({ nothing: true });
    await showPush({ data: null } as PushEvent);
    expect(
      showNotification.mock.calls.map(([title, { tag, silent }]) => [title, tag, silent]),
    ).toEqual([
      ['Ann', 'message-ann', true],
      ['Ann', 'message-ann', false],
      ['Leashwise', 'unreadable', true],
      ['Leashwise', 'unreadable', true],
    ]);
    expect(closed).not.toHaveBeenCalled();
  });

  test('closes a push about the page on the screen soon', async () => {
    vi.useFakeTimers();
    openPage('visible', '/chat/ann');
    const showing = received(message);
    await vi.waitFor(() => expect(showNotification).toHaveBeenCalledOnce());
    expect(closed).not.toHaveBeenCalled();
    await vi.waitFor(async () => {
      await vi.advanceTimersByTimeAsync(500);
      expect(closed).toHaveBeenCalled();
    });
    await showing;
    expect(closed).toHaveBeenCalledExactlyOnceWith('message-ann');
    vi.useRealTimers();
  });

  test('says that a walk has ended, not that it is unprotected, if this device ended it without a network', async () => {
    const unprotected = {
      ...message,
      kind: 'walk',
      body: 'Your walk is no longer protected. Open Leashwise.',
      is_urgent: true,
    };
    const bodies = () => showNotification.mock.calls.map(([, { body }]) => body);
    const silent_since = Date.now() - 100_000;
    await received({ ...unprotected, silent_since });
    await noteWalkPause({ reason: 'ended', at: silent_since + 5_000 });
    await received({ ...unprotected, silent_since });
    // Another device has reported positions since.
    await received({ ...unprotected, silent_since: silent_since + 120_000 });
    await clearWalkPause();
    await noteWalkPause({ reason: 'quiet', at: silent_since });
    await received({ ...unprotected, silent_since });
    expect(bodies()).toEqual([
      unprotected.body,
      'Your walk has ended.',
      unprotected.body,
      'Warnings are paused in your quiet place.',
    ]);
  });

  test('opens the page of a notification in an open tab, the visible one first, or in a new one', async () => {
    await clicked({ path: '/chat/ann' });
    expect(openWindow).toHaveBeenCalledExactlyOnceWith('/chat/ann');
    const [hidden, visible] = [openPage('hidden'), openPage('visible')];
    await clicked({ path: '/chat/ann' });
    expect(visible.postMessage).toHaveBeenCalledExactlyOnceWith({
      type: 'open-page',
      path: '/chat/ann',
    });
    expect(visible.focus).toHaveBeenCalledOnce();
    expect(hidden.focus).not.toHaveBeenCalled();
  });

  test('only focuses the app for its own notifications, and never opens another site', async () => {
    const page = openPage('hidden');
    await clicked(null);
    expect(page.focus).toHaveBeenCalledOnce();
    expect(page.postMessage).not.toHaveBeenCalled();
    pages = [];
    await clicked({ path: '//evil.example' });
    expect(openWindow).toHaveBeenCalledExactlyOnceWith('/home');
  });

  test('subscribes again with the server’s key after the browser replaced the subscription', async () => {
    const sent = { endpoint: 'https://push.example/1', keys: { p256dh: 'p', auth: 'a' } };
    subscribe.mockResolvedValue({ toJSON: () => sent });
    const fetched = vi.fn<typeof fetch>(async () => Response.json({ public_key: 'the key' }));
    vi.stubGlobal('fetch', fetched);
    await renewSubscription();
    expect(subscribe).toHaveBeenCalledExactlyOnceWith({
      userVisibleOnly: true,
      applicationServerKey: 'the key',
    });
    const [path, init] = fetched.mock.calls[1] ?? [];
    expect([path, init?.body]).toEqual(['/api/push/subscription', JSON.stringify(sent)]);
  });
});
