import { Suspense } from 'react';
import { useLocation } from 'react-router-dom';
import { InstallPrompt } from '../platform/install/install-prompt.tsx';
import { lazyScreen } from '../platform/lazy/lazy-component.tsx';
import { LoadingBar } from '../platform/lazy/loading-bar.tsx';
import { lazyRoute, screenAt, screenRoute } from '../platform/screen-route.ts';
import { useUser } from '../platform/session/use-auth.tsx';
import { ErrorBoundary } from '../platform/ui/feedback/error-boundary.tsx';
import { Waiting } from '../platform/ui/feedback/waiting.tsx';
import { SkipLink } from '../platform/ui/navigation/skip-link.tsx';
import { Notices } from './dashboard/notices.tsx';
import { firstScreen, loadable } from './first-screens.tsx';

const LANDING = '/';
/** Those that only inform. */
const FOR_VISITORS = [LANDING, '/welcome', '/privacy', '/terms'];
const PATIENCE_MS = 3_000;

const CharityPage = lazyScreen(() => import('../features/charities/page/charity-page.tsx'));
const landing = loadable(() => import('./landing/landing-page.tsx'));
const frame = loadable(async () => {
  // The layout imports these, too. Separate imports are evaluated in separate, shorter tasks.
  const parts = [
    import('../platform/http/query-client.ts'),
    import('../platform/ui/dialogs/modal.tsx'),
    import('#shared/document-kinds.ts'),
  ];
  const [layout] = await Promise.all([
    import('./dashboard/member-layout.tsx'),
    firstScreen()?.load() ?? null,
    ...parts,
  ]);
  return layout;
});

/** Whether a path's screen only informs visitors. */
export const isForVisitors = (path: string): boolean => FOR_VISITORS.includes(path);

/**
 * Settles when the first screen may render. Rendering a loading screen first would take a phone longer than the wait for the
 * landing page, which the browser has preloaded, and for the dashboard, the social screen or a chat, if the app is installed on
 * this device.
 */
export async function readyToDraw(): Promise<void> {
  const isInstalled = Boolean(navigator.serviceWorker?.controller);
  const first = location.pathname === LANDING ? landing : isInstalled && firstScreen() && frame;
  if (!first) return;
  await Promise.race([
    first.load().catch(() => null),
    new Promise((resolve) => setTimeout(resolve, PATIENCE_MS)),
  ]);
}

/** A charity's page: members keep their navigation. */
function CharityRoute({ id }: { id: string }) {
  const user = useUser();
  return user?.has_access ? <frame.Screen /> : <CharityPage id={id} />;
}

/** The addresses of visitors; the features have those of members, whose code the landing page doesn’t load. Each is a lazy chunk. */
export const ROUTES = [
  screenRoute(LANDING, landing.Screen),
  lazyRoute('/privacy', () => import('./landing/privacy-page.tsx')),
  lazyRoute('/terms', () => import('./landing/terms-page.tsx')),
  lazyRoute('/welcome', () => import('./landing/welcome-page.tsx')),
  lazyRoute('/access-code', () => import('../features/access-gate/access-code-page.tsx')),
  lazyRoute('/advertiser-signup', () => import('../features/advertisers/signup/signup-page.tsx')),
  lazyRoute('/advertiser', () => import('../features/advertisers/dashboard/dashboard-page.tsx')),
  lazyRoute('/admin', () => import('./admin/admin-page.tsx')),
  lazyRoute('/charity-signup', () => import('../features/charities/charity-signup-page.tsx')),
  screenRoute('/charities/:id', CharityRoute),
  lazyRoute('/auth/callback', () => import('./session/callback-page.tsx')),
  screenRoute('*', frame.Screen),
];

/** The screen of the address, and what is on every screen. */
export function AppRoutes() {
  const { pathname } = useLocation();
  return (
    <>
      <SkipLink />
      <Notices />
      <ErrorBoundary>
        <Suspense fallback={<Waiting />}>
          {screenAt(ROUTES, pathname)}
          <LoadingBar />
        </Suspense>
      </ErrorBoundary>
      <InstallPrompt />
    </>
  );
}
