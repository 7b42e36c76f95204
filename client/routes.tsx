import { lazy, Suspense } from 'react';
import { Route, Routes } from 'react-router-dom';
import { useLostAccess } from './access-gate/use-lost-access.ts';
import { InstallPrompt } from './install/install-prompt.tsx';
import { ErrorBoundary } from './ui/error-boundary.tsx';
import { Notices } from './dashboard/notices.tsx';
import { SkipLink } from './ui/skip-link.tsx';
import { Waiting } from './ui/waiting.tsx';

const LandingPage = lazy(() => import('./landing/landing-page.tsx'));
const WelcomePage = lazy(() => import('./landing/welcome-page.tsx'));
const AdvertiserSoonPage = lazy(() => import('./landing/advertiser-soon-page.tsx'));
const AccessCodePage = lazy(() => import('./access-gate/access-code-page.tsx'));
const CallbackPage = lazy(() => import('./session/callback-page.tsx'));
const MemberLayout = lazy(() => import('./dashboard/member-layout.tsx'));
const HomePage = lazy(() => import('./dashboard/home-page.tsx'));
const OnboardingPage = lazy(() => import('./onboarding/onboarding-page.tsx'));
const NotFoundPage = lazy(() => import('./ui/not-found-page.tsx'));

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
            <Route path="advertiser-signup" element={<AdvertiserSoonPage />} />
            <Route path="auth/callback" element={<CallbackPage />} />
            <Route element={<MemberLayout />}>
              <Route path="home" element={<HomePage />} />
              <Route path="onboarding" element={<OnboardingPage />} />
            </Route>
            <Route path="*" element={<NotFoundPage />} />
          </Routes>
        </Suspense>
      </ErrorBoundary>
      <InstallPrompt />
    </>
  );
}
