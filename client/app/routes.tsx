import { Suspense, useState, type ComponentType } from 'react';
import { Route, Routes } from 'react-router-dom';
import { isChatShown } from '../features/friends/chat-path.ts';
import { InstallPrompt } from '../platform/install/install-prompt.tsx';
import { Notices } from './dashboard/notices.tsx';
import { lazyScreen } from '../platform/lazy/lazy-component.tsx';
import { LoadingBar } from '../platform/lazy/loading-bar.tsx';
import { ErrorBoundary } from '../platform/ui/feedback/error-boundary.tsx';
import { SkipLink } from '../platform/ui/navigation/skip-link.tsx';
import { Waiting } from '../platform/ui/feedback/loading.tsx';

const LANDING = '/';
const HOME = '/home';
const SOCIAL = '/social';
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
const CharitySignupPage = lazyScreen(() => import('../features/charities/charity-signup-page.tsx'));
const AdminPage = lazyScreen(() => import('./admin/admin-page.tsx'));
const NotFoundPage = lazyScreen(() => import('../platform/ui/layout/not-found-page.tsx'));

const landing = loadable(() => import('./landing/landing-page.tsx'));

/** Screens loaded in parallel with their layout, instead of one after the other. */
const home = loadable(() => import('./dashboard/home-page.tsx'));
const social = loadable(() => import('./social/social-page.tsx'));
const chat = loadable(() => import('../features/chat/chat-page.tsx'));
const firstScreen = () =>
  isChatShown() ? chat : { [HOME]: home, [SOCIAL]: social }[location.pathname];
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

/** A lazy screen that can be preloaded and then renders without suspending. */
function loadable(load: () => Promise<{ default: ComponentType }>) {
  let loaded: ComponentType | null = null;
  const remember = async () => {
    const screen = await load();
    loaded = screen.default;
    return screen;
  };
  const Later = lazyScreen(remember);
  return {
    load: remember,
    Screen() {
      // Chosen once: switching the component would remount the screen.
      const [Chosen] = useState(() => loaded ?? Later);
      return <Chosen />;
    },
  };
}

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

/** All routes. Each screen is a lazy chunk. */
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
            <Route path="auth/callback" element={<CallbackPage />} />
            <Route element={<frame.Screen />}>
              <Route path={HOME} element={<home.Screen />} />
              {/* Those with null are drawn by the layout, whose code the landing page doesn't load. */}
              <Route path="you" element={null} />
              <Route path="dogs" element={null} />
              <Route path="settings" element={null} />
              <Route path="onboarding" element={null} />
              <Route path={SOCIAL} element={<social.Screen />} />
              <Route path="chat/:friendUserId" element={<chat.Screen />} />
              <Route path="locations" element={null} />
              <Route path="community" element={null} />
              <Route path="people/:id/*" element={null} />
              <Route path="walks" element={null} />
              <Route path="walks/:walkId" element={null} />
            </Route>
            <Route path="*" element={<NotFoundPage />} />
          </Routes>
          <LoadingBar />
        </Suspense>
      </ErrorBoundary>
      <InstallPrompt />
    </>
  );
}
