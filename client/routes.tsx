import { Suspense, useState, type ComponentType } from 'react';
import { Route, Routes } from 'react-router-dom';
import { useLostAccess } from './access-gate/use-lost-access.ts';
import { isChatShown } from './chat/chat-path.ts';
import { InstallPrompt } from './install/install-prompt.tsx';
import { Notices } from './dashboard/notices.tsx';
import { lazyComponent } from './lazy/lazy-component.ts';
import { PartProgress } from './lazy/loading-bar.tsx';
import { ErrorBoundary } from './ui/error-boundary.tsx';
import { SkipLink } from './ui/skip-link.tsx';
import { Waiting } from './ui/loading.tsx';

const HOME = '/home';
const SOCIAL = '/social';
const PATIENCE_MS = 3_000;

const LandingPage = lazyComponent(() => import('./landing/landing-page.tsx'));
const WelcomePage = lazyComponent(() => import('./landing/welcome-page.tsx'));
const SignupPage = lazyComponent(() => import('./advertisers/signup/signup-page.tsx'));
const DeskPage = lazyComponent(() => import('./advertisers/dashboard/dashboard-page.tsx'));
const AccessCodePage = lazyComponent(() => import('./access-gate/access-code-page.tsx'));
const CallbackPage = lazyComponent(() => import('./session/callback-page.tsx'));
const SettingsPage = lazyComponent(() => import('./settings/settings-page.tsx'));
const OnboardingPage = lazyComponent(() => import('./onboarding/onboarding-page.tsx'));
const CommunityPage = lazyComponent(() => import('./charities/community-page.tsx'));
const CharitySignupPage = lazyComponent(() => import('./charities/charity-signup-page.tsx'));
const LocationsPage = lazyComponent(() => import('./locations/locations-page.tsx'));
const AdminPage = lazyComponent(() => import('./admin/admin-page.tsx'));
const NotFoundPage = lazyComponent(() => import('./ui/not-found-page.tsx'));

/** These come together with their frame: to be asked for one after the other keeps a person waiting twice. */
const home = loadable(() => import('./dashboard/home-page.tsx'));
const social = loadable(() => import('./friends/social-page.tsx'));
const chat = loadable(() => import('./chat/chat-page.tsx'));
const together = () =>
  isChatShown() ? chat : { [HOME]: home, [SOCIAL]: social }[location.pathname];
const frame = loadable(async () => {
  const [layout] = await Promise.all([
    import('./dashboard/member-layout.tsx'),
    together()?.load() ?? null,
  ]);
  return layout;
});

/** A screen that may be loaded before it is drawn, and is then drawn at once. */
function loadable(load: () => Promise<{ default: ComponentType }>) {
  let loaded: ComponentType | null = null;
  const remember = async () => {
    const screen = await load();
    loaded = screen.default;
    return screen;
  };
  const Later = lazyComponent(remember);
  return {
    load: remember,
    Screen() {
      // Chosen once, or it would begin anew when the other is there.
      const [Chosen] = useState(() => loaded ?? Later);
      return <Chosen />;
    },
  };
}

/**
 * Settles when the first screen may be drawn. Where this device has the whole app, the dashboard, the social screen and a chat are
 * drawn without a screen before them that says to wait: that would take a phone longer than the moment that it fills.
 */
export async function readyToDraw(): Promise<void> {
  if (!together() || !navigator.serviceWorker?.controller) return;
  await Promise.race([
    frame.load().catch(() => null),
    new Promise((resolve) => setTimeout(resolve, PATIENCE_MS)),
  ]);
}

/** Every screen. Each comes in a file of its own, loaded when it is first gone to. */
export function AppRoutes() {
  useLostAccess();
  return (
    <>
      <SkipLink />
      <Notices />
      <ErrorBoundary>
        <Suspense fallback={<Waiting />}>
          <Routes>
            <Route index element={<LandingPage />} />
            <Route path="welcome" element={<WelcomePage />} />
            <Route path="access-code" element={<AccessCodePage />} />
            <Route path="advertiser-signup" element={<SignupPage />} />
            <Route path="advertiser" element={<DeskPage />} />
            <Route path="admin" element={<AdminPage />} />
            <Route path="charity-signup" element={<CharitySignupPage />} />
            <Route path="auth/callback" element={<CallbackPage />} />
            <Route element={<frame.Screen />}>
              <Route path={HOME} element={<home.Screen />} />
              <Route path="settings" element={<SettingsPage />} />
              <Route path="onboarding" element={<OnboardingPage />} />
              <Route path={SOCIAL} element={<social.Screen />} />
              <Route path="chat/:friendUserId" element={<chat.Screen />} />
              <Route path="locations" element={<LocationsPage />} />
              <Route path="community" element={<CommunityPage />} />
            </Route>
            <Route path="*" element={<NotFoundPage />} />
          </Routes>
          <PartProgress />
        </Suspense>
      </ErrorBoundary>
      <InstallPrompt />
    </>
  );
}
