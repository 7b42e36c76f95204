import { Suspense, useEffect, useState, type ComponentType } from 'react';
import { QueryClientProvider } from '@tanstack/react-query';
import { Outlet, useLocation, useSearchParams } from 'react-router-dom';
import { SevereAlerts } from '../../features/alerts/severe-alerts.tsx';
import { Leave, RequireAccess } from '../../features/access-gate/require-access.tsx';
import { useLostAccess } from '../../features/access-gate/use-lost-access.ts';
import { reportErrors } from '../../platform/client-errors/report-errors.ts';
import { LeadingTabProvider } from '../../platform/events/leading-tab-provider.tsx';
import { LookalikeProvider } from '../../features/friends/lookalike-note.tsx';
import { UpdatePrompt } from '../../platform/install/update-prompt.tsx';
import { SuspensionGate } from '../../features/moderation/suspension-gate.tsx';
import { useOpenedPlaces } from '../../features/locations/use-opened-places.ts';
import { useOpenedPages } from '../../features/push/use-opened-pages.ts';
import { useOwnChanges } from '../../features/chat/thread/use-own-changes.ts';
import {
  lazyComponent,
  lazyScreen,
  optionalComponent,
} from '../../platform/lazy/lazy-component.tsx';
import '../../platform/lazy/reload-if-replaced.ts';
import { PROFILE_OPEN } from '../../features/card/profile-link.tsx';
import { useOwnCard } from '../../features/card/use-card.ts';
import { ProximityAlert } from '../../features/proximity/components/proximity-alert.tsx';
import { SilentTab } from '../../features/proximity/components/muted-tab-notice.tsx';
import { ProximityProvider } from '../../features/proximity/proximity-provider.tsx';
import { queries } from '../../platform/http/query-client.ts';
import { PushCompanion } from '../../features/push/push-companion.tsx';
import { useReferralReport } from '../../features/referrals/use-report.ts';
import { SignInAgainOffer } from '../../platform/session/sign-in-again-offer.tsx';
import { waitingFor } from '../../platform/session/unsent-summary.ts';
import { WaitingChangesToast } from '../../platform/session/waiting-changes-toast.tsx';
import { useAuth, useUser } from '../../platform/session/use-auth.tsx';
import { StorageNotice, SyncChip } from '../../platform/sync/status/sync-status-chip.tsx';
import { useOutboxRefusals } from '../../platform/sync/outbox/use-outbox.ts';
import { POCKET } from '../../features/walks/pocket/pocket-address.ts';
import { WalkRecording } from '../../features/walks/walk-recording.tsx';
import { ErrorBoundary } from '../../platform/ui/feedback/error-boundary.tsx';
import { keepFocus } from '../../platform/ui/navigation/keep-focus.ts';
import { guardPresses } from '../../platform/ui/navigation/press-guard.ts';
import { Logo } from '../../platform/ui/layout/logo.tsx';
import { guardTranslatedPage } from '../../platform/ui/layout/translated-page.ts';
import { showTheme } from '../../features/settings/theme.ts';
import { FeltToasts } from '../../features/settings/haptic-toasts.tsx';
import { Toaster } from '../../platform/ui/feedback/toaster.tsx';
import { Waiting } from '../../platform/ui/feedback/loading.tsx';
import { DeferredRender } from './deferred-render.tsx';
import '../features.ts';
import { Navigation } from './navigation.tsx';

const PocketMode = lazyComponent(() => import('../../features/walks/pocket/pocket-mode.tsx'));
// If a blocker blocks the chunk, only the ad is missing.
const DayDialog = optionalComponent(() => import('../../features/ads/day-dialog.tsx'));
const HazardNotices = optionalComponent(() => import('../../features/hazards/hazard-notices.tsx'));
const PlannedWalkNotices = optionalComponent(
  () => import('../../features/planned-walks/planned-walk-notices.tsx'),
);
const ProfileModal = lazyComponent(() => import('../../features/profile/profile-modal.tsx'));

/** Screens that the routes leave to the layout, by the first part of their path. */
const SCREENS: Record<string, ComponentType> = {
  you: lazyScreen(() => import('./you-page.tsx')),
  dogs: lazyScreen(() => import('../../features/dogs/dogs-page.tsx')),
  settings: lazyScreen(() => import('../settings/settings-page.tsx')),
  onboarding: lazyScreen(() => import('../onboarding/onboarding-page.tsx')),
  locations: lazyScreen(() => import('../../features/locations/locations-page.tsx')),
  community: lazyScreen(() => import('../../features/charities/community-page.tsx')),
  people: lazyScreen(() => import('../../features/profile/people-pages.tsx')),
  walks: lazyScreen(() => import('../../features/walks/walks-pages.tsx')),
};

guardPresses();
// Pages without a service worker start with the device's theme.
showTheme();

/** The layout of member screens; redirects users who aren't signed in. */
export default function MemberLayout() {
  useLostAccess();
  useEffect(() => void guardTranslatedPage(document.body), []);
  return (
    <RequireAccess>
      <SignedIn />
    </RequireAccess>
  );
}

function NotSignedIn() {
  return useAuth().isPending ? <Waiting /> : <Leave to="/welcome" />;
}

function SignedIn() {
  const user = useUser();
  // Before the documents are opened, which restores it.
  const [unsent] = useState(() => user && waitingFor(user.id));
  const card = useOwnCard();
  const { pathname } = useLocation();
  const [search] = useSearchParams();
  const OwnScreen = SCREENS[pathname.split('/')[1] ?? ''];
  const isProfileOpen = search.get('open') === PROFILE_OPEN.open;
  useOutboxRefusals();
  useOwnChanges();
  useOpenedPages();
  useOpenedPlaces();
  useReferralReport();
  useEffect(keepFocus, []);
  useEffect(() => reportErrors(), []);
  if (!user) return <NotSignedIn />;
  return (
    <QueryClientProvider client={queries}>
      <LeadingTabProvider key={user.id}>
        <SuspensionGate>
          <LookalikeProvider>
            <ProximityProvider>
              <WalkRecording />
              <div className="group/frame mx-auto flex min-h-dvh max-w-5xl flex-col has-data-fills-window:min-h-0 has-data-fills-window:w-full has-data-fills-window:flex-1 max-md:has-data-fills-window:pb-[env(safe-area-inset-bottom)] pt-[env(safe-area-inset-top)] pb-[calc(5rem+env(safe-area-inset-bottom))] md:pb-8 not-has-data-fills-window:has-data-pill:pb-40 md:not-has-data-fills-window:has-data-pill:pb-40">
                <header className="flex flex-wrap max-md:group-has-data-fills-window/frame:hidden min-h-16 items-center justify-between gap-x-3 px-4 sm:px-6">
                  <Logo to="/home" />
                  <div className="-mr-3 flex items-center gap-4 md:gap-6">
                    {/* Before there is a profile there is nowhere else to go. */}
                    {(card ? card.display_name !== '' : pathname !== '/onboarding') && (
                      <Navigation />
                    )}
                    <SyncChip />
                  </div>
                </header>
                <ProximityAlert />
                <SevereAlerts />
                <UpdatePrompt />
                <StorageNotice />
                <SilentTab />
                {/* The key resets the boundary on another screen. */}
                <ErrorBoundary key={pathname}>
                  {OwnScreen ? <OwnScreen /> : <Outlet />}
                  {isProfileOpen && (
                    <Suspense>
                      <ProfileModal />
                    </Suspense>
                  )}
                  {search.get('open') === POCKET && (
                    <Suspense>
                      <PocketMode />
                    </Suspense>
                  )}
                </ErrorBoundary>
              </div>
              {/* Nothing has anything to say before the first drawing. */}
              <DeferredRender>
                <Toaster />
                <FeltToasts />
                <WaitingChangesToast count={unsent} />
                <SignInAgainOffer />
                <PushCompanion />
                <HazardNotices />
                <DayDialog />
                <PlannedWalkNotices />
              </DeferredRender>
            </ProximityProvider>
          </LookalikeProvider>
        </SuspensionGate>
      </LeadingTabProvider>
    </QueryClientProvider>
  );
}
