/// <reference lib="webworker" />
import {
  cleanupOutdatedCaches,
  createHandlerBoundToURL,
  precacheAndRoute,
} from 'workbox-precaching';
import { NavigationRoute, registerRoute } from 'workbox-routing';
import { CacheFirst } from 'workbox-strategies';
import { openNotification, renewSubscription, showPush } from '../features/push/worker-push.ts';
import { withTheme } from '../features/settings/page-theme.ts';
import { withDashboardChunks } from '../platform/install/dashboard-chunks.ts';
import { FILES_CACHE, TAKE_OVER } from '../platform/install/service-worker-messages.ts';

declare const self: ServiceWorkerGlobalScope;

const FILES_MAX = 300;

const files = self.__WB_MANIFEST;
precacheAndRoute(files);
cleanupOutdatedCaches();

const sendPage = createHandlerBoundToURL('/index.html');
registerRoute(
  new NavigationRoute(
    async (asked) => {
      const page = await withTheme(await sendPage(asked));
      return asked.url.pathname === '/home' ? withDashboardChunks(page, files) : page;
    },
    { denylist: [/^\/(api|sync)(\/|$)/] },
  ),
);

// Files are immutable. Nothing else of /api is cached.
registerRoute(
  ({ url, sameOrigin }) => sameOrigin && url.pathname.startsWith('/api/files/'),
  new CacheFirst({
    cacheName: FILES_CACHE,
    plugins: [
      {
        async cacheDidUpdate({ cacheName }) {
          const cache = await caches.open(cacheName);
          const oldestFirst = await cache.keys();
          const over = oldestFirst.slice(0, Math.max(0, oldestFirst.length - FILES_MAX));
          await Promise.all(over.map((request) => cache.delete(request)));
        },
      },
    ],
  }),
);

self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));
self.addEventListener('message', (event) => {
  if (event.data === TAKE_OVER) void self.skipWaiting();
});
// Notifications of pushes, and on Android those of the app.
self.addEventListener('notificationclick', (event) => event.waitUntil(openNotification(event)));
self.addEventListener('push', (event) => event.waitUntil(showPush(event)));
self.addEventListener('pushsubscriptionchange', (event) =>
  (event as ExtendableEvent).waitUntil(renewSubscription()),
);
