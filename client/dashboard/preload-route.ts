import { isChatShown } from '../chat/chat-path.ts';

const SCREENS: Record<string, () => Promise<unknown>> = {
  '/home': () => import('./home-page.tsx'),
  '/social': () => import('../friends/social-page.tsx'),
};

// A screen that is opened from this device is asked for before anything else of the app is run: its files come while the
// app's own begin. It is then drawn at once (`readyToDraw`). What is asked for apart is run in tasks apart.
const screen = isChatShown()
  ? () =>
      Promise.all([import('../chat/chat-page.tsx'), import('../sync/documents/warm-up-wasm.ts')])
  : SCREENS[location.pathname];
if (screen && navigator.serviceWorker?.controller)
  for (const asked of [
    import('../sync/documents/current-user-documents.ts'),
    import('./member-layout.tsx'),
    screen(),
  ])
    asked.catch(() => null);
