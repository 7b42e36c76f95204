import { Suspense } from 'react';
import { Route, Routes } from 'react-router-dom';
import { InstallPrompt } from '../platform/install/install-prompt.tsx';
import { lazyScreen } from '../platform/lazy/lazy-component.tsx';
import { LoadingBar } from '../platform/lazy/loading-bar.tsx';
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

const PrivacyPage = lazyScreen(() => import('./landing/privacy-page.tsx'));
const TermsPage = lazyScreen(() => import('./landing/terms-page.tsx'));
const WelcomePage = lazyScreen(() => import('./landing/welcome-page.tsx'));
const SignupPage = lazyScreen(() => import('../features/advertisers/signup/signup-page.tsx'));
const AdvertiserDashboardPage = lazyScreen(
  () => import('../features/advertisers/dashboard/dashboard-page.tsx'),
);
const AccessCodePage = lazyScreen(() => import('../features/access-gate/access-code-page.tsx'));
const CallbackPage = lazyScreen(() => import('./session/callback-page.tsx'));
const CharityPage = lazyScreen(() => import('../features/charities/page/charity-page.tsx'));
const CharitySignupPage = lazyScreen(() => import('../features/charities/charity-signup-page.tsx'));
const AdminPage = lazyScreen(() => import('./admin/admin-page.tsx'));

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
function CharityRoute() {
  const user = useUser();
  return user?.has_access ? <frame.Screen /> : <CharityPage />;
}

/** The screens of visitors; those of members are in the features. Each is a lazy chunk. */
export function AppRoutes() {
  return (
    <>
      <SkipLink />
      <Notices />
      <ErrorBoundary>
        <Suspense fallback={<Waiting />}>
          <Routes>
            <Route index element={<landing.Screen />} />
            <Route path="privacy" element={<PrivacyPage />} />
            <Route path="terms" element={<TermsPage />} />
            <Route path="welcome" element={<WelcomePage />} />
            <Route path="access-code" element={<AccessCodePage />} />
            <Route path="advertiser-signup" element={<SignupPage />} />
            <Route path="advertiser" element={<AdvertiserDashboardPage />} />
            <Route path="admin" element={<AdminPage />} />
            <Route path="charity-signup" element={<CharitySignupPage />} />
            <Route path="charities/:id" element={<CharityRoute />} />
            <Route path="auth/callback" element={<CallbackPage />} />
            {/* The features know the others, whose code the landing page doesn’t load. */}
            <Route path="*" element={<frame.Screen />} />
          </Routes>
          <LoadingBar />
        </Suspense>
      </ErrorBoundary>
      <InstallPrompt />
    </>
  );
}
