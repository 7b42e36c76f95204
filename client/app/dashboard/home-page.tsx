import { UserRound } from 'lucide-react';
import { Suspense } from 'react';
import { Navigate, useLocation, useSearchParams } from 'react-router-dom';
import { RENEW_OPEN, endsSoon } from '../../features/access-gate/renewal.ts';
import { AdvertiseHere } from '../../features/ads/advertise-here.tsx';
import { MemberSlot } from '../../features/ads/member-slot.tsx';
import { WalkingTip } from '../../features/ads/walking-tip.tsx';
import { AlertCenter } from '../../features/alerts/alert-center.tsx';
import { ProfileLink } from '../../features/card/profile-link.tsx';
import { useCard, useIsNameMissing, useOwnCard } from '../../features/card/use-card.ts';
import { MyDogs } from '../../features/dogs/my-dogs.tsx';
import { IndexModal } from '../../features/friendly-index/index-modal.tsx';
import { OwnerIndexCard } from '../../features/friendly-index/owner-index-card.tsx';
import { OPEN_HAZARD } from '../../features/hazards/hazard-kinds.ts';
import { HazardModal } from '../../features/hazards/hazard-modal.tsx';
import { NextWalksCard } from '../../features/planned-walks/next-walks-card.tsx';
import { NearbyUsers } from '../../features/proximity/components/nearby-users.tsx';
import { OutputProblems } from '../../features/proximity/components/output-problems.tsx';
import {
  PracticeAlert,
  useIsPracticeDue,
} from '../../features/proximity/components/practice-alert.tsx';
import { useWalking } from '../../features/proximity/use-walking.ts';
import { JUST_SET_UP } from '../../features/proximity/walk-start.ts';
import { AskWillItWork } from '../../features/walkers/ask-will-it-work.tsx';
import { LastWalkCard } from '../../features/walks/last-walk-card.tsx';
import { WalkCard } from '../../features/walks/walk-card.tsx';
import { WeatherCard } from '../../features/weather/weather-card.tsx';
import { WeatherNotice } from '../../features/weather/weather-notice.tsx';
import { lazyComponent } from '../../platform/lazy/lazy-component.tsx';
import { LogoutButton } from '../../platform/session/logout-button.tsx';
import { useUser } from '../../platform/session/use-auth.tsx';
import { obstacleText } from '../../platform/sync/documents/obstacle.ts';
import { useSyncState } from '../../platform/sync/documents/use-document.ts';
import { useUnavailableText } from '../../platform/sync/status/use-unavailable-text.ts';
import { Modal } from '../../platform/ui/dialogs/modal.tsx';
import { useCloseDialog } from '../../platform/ui/dialogs/use-close-dialog.ts';
import { ErrorBanner } from '../../platform/ui/feedback/error-banner.tsx';
import { Skeleton } from '../../platform/ui/feedback/skeleton.tsx';
import { Screen } from '../../platform/ui/layout/screen.tsx';
import { useMedia } from '../../platform/ui/layout/use-media.ts';
import { HashScroll } from '../../platform/ui/navigation/hash-scroll.tsx';
import { DeferredRender } from './deferred-render.tsx';
import { QuickActions } from './quick-actions.tsx';

const AccessReminder = lazyComponent(
  () => import('../../features/access-gate/access-reminder.tsx'),
);
const AlertTester = lazyComponent(
  () => import('../../features/proximity/components/alert-tester.tsx'),
);
const ReferFriends = lazyComponent(() => import('../../features/referrals/refer-friends.tsx'));

/** The dashboard. Dialogs are in the address (`?open=test-alerts`), so that the back button closes them. */
export default function HomePage() {
  const card = useOwnCard();
  const isNameMissing = useIsNameMissing();
  const user = useUser();
  const [search] = useSearchParams();
  const close = useCloseDialog('open', 'dog');
  const isWide = useMedia('(min-width: 48rem)');
  const { isWalking } = useWalking();
  const [isPracticeDue, endPractice] = useIsPracticeDue();
  const isJustSetUp = useLocation().state?.isJustSetUp === JUST_SET_UP.isJustSetUp;

  if (isNameMissing) return <Navigate to="/onboarding" replace />;

  const practice = card && isPracticeDue && !isWalking && <PracticeAlert onEnd={endPractice} />;
  // Where it is sold: at the top on a wide screen, below the walk on a phone. During a walk, it comes after all that a walk needs.
  const banner = <MemberSlot placement="banner" fallback={<AdvertiseHere />} />;
  return (
    <Screen title="Dashboard" className="flex flex-col gap-3 px-4 pb-4 sm:px-6 md:gap-4">
      {isWide && !isWalking && banner}
      <div className="flex items-center gap-1">
        <h1
          tabIndex={-1}
          className="line-clamp-1 min-w-0 flex-1 text-xl font-bold tracking-tight break-all sm:text-3xl"
        >
          {card?.display_name ? `Welcome, ${card.display_name}` : 'Welcome'}
        </h1>
        <ProfileLink className="inline-flex min-h-11 min-w-11 shrink-0 items-center justify-center gap-2 rounded-control font-bold text-accent underline-offset-4 hover:underline sm:px-4">
          <UserRound aria-hidden className="size-5 shrink-0" />
          <span className="max-sm:sr-only">My Profile</span>
        </ProfileLink>
        <LogoutButton className="-mr-3 shrink-0 max-sm:px-3! max-sm:[&>svg]:hidden sm:-mr-5" />
      </div>
      {user && (endsSoon(user) || search.get('open') === RENEW_OPEN) && (
        <Suspense>
          <AccessReminder user={user} />
        </Suspense>
      )}
      <DataUnavailable />
      {/* The left column is the walk; on a phone it comes first. */}
      <div className="grid grid-cols-1 items-start gap-3 md:grid-cols-2 md:gap-4">
        <div className="flex min-w-0 flex-col gap-3 md:gap-4">
          {practice && isJustSetUp && practice}
          <WalkLoading />
          <WalkCard />
          {isWalking && <NearbyUsers />}
          {!isWide && !isWalking && banner}
          <OutputProblems />
          {!isJustSetUp && practice}
          <DeferredRender>
            <WeatherNotice />
            {!isWalking && <LastWalkCard />}
            <NextWalksCard />
            <AlertCenter />
            <WeatherCard />
            {!isWalking && <NearbyUsers />}
          </DeferredRender>
          {isWalking && banner}
        </div>
        <div className="flex min-w-0 flex-col gap-3 md:gap-4">
          <DeferredRender>
            <MyDogs isCompact />
            <QuickActions />
            {!isWalking && <AskWillItWork />}
            <MemberSlot placement="inline" fallback={<WalkingTip />} />
            <OwnerIndexCard />
            {/* The last thing on the screen: nothing moves when it comes. */}
            <MemberSlot placement="sidebar" />
            {card && <HashScroll />}
          </DeferredRender>
        </div>
      </div>
      <Modal
        open={search.get('open') === 'test-alerts'}
        onClose={close}
        title="Test Alerts"
        description="Hear and feel an alert before you need one."
      >
        <Suspense fallback={<Skeleton label="Loading test alerts…" />}>
          <AlertTester />
        </Suspense>
      </Modal>
      <HazardModal isOpen={search.get('open') === OPEN_HAZARD} onClose={close} isHere />
      <IndexModal onClose={close} />
      <Modal
        open={search.get('open') === 'refer-friends'}
        onClose={close}
        title="Refer a friend"
        description="The more owners share, the sooner everyone knows who’s coming."
      >
        <Suspense fallback={<Skeleton label="Loading form…" />}>
          <ReferFriends onDone={close} />
        </Suspense>
      </Modal>
    </Screen>
  );
}

function DataUnavailable() {
  const obstacle = obstacleText(useSyncState().obstacle);
  const text = useUnavailableText('it');
  const { status } = useCard();
  if (status === 'unavailable')
    return <ErrorBanner title="Your data hasn’t loaded on this device yet">{text}</ErrorBanner>;
  return obstacle && <ErrorBanner title="Only some things work here">{obstacle}</ErrorBanner>;
}

function WalkLoading() {
  const { status, card } = useCard();
  return (
    status === 'loading' &&
    !card && (
      <div className="h-52 rounded-card border border-line bg-surface p-3 shadow-lift sm:p-4">
        <Skeleton label="Loading location sharing…" lines={2} />
      </div>
    )
  );
}
