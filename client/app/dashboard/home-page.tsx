import { ChevronDown, ChevronUp, UserRound } from 'lucide-react';
import { useId, useState, type ReactNode } from 'react';
import { Navigate, useLocation, useSearchParams } from 'react-router-dom';
import { AccessReminder } from '../../features/access-gate/access-reminder.tsx';
import { AdvertiseHere } from '../../features/ads/advertise-here.tsx';
import { MemberSlot } from '../../features/ads/member-slot.tsx';
import { WalkingTip } from '../../features/ads/walking-tip.tsx';
import { AlertCenter } from '../../features/alerts/alert-center.tsx';
import { ProfileLink } from '../../features/card/profile-link.tsx';
import { useCard, useIsNameMissing, useOwnCard } from '../../features/card/use-card.ts';
import { MyDogs } from '../../features/dogs/my-dogs.tsx';
import { OwnerIndexCard } from '../../features/friendly-index/owner-index-card.tsx';
import { OPEN_HAZARD } from '../../features/hazards/hazard-kinds.ts';
import { HazardModal } from '../../features/hazards/hazard-modal.tsx';
import { NextWalksCard } from '../../features/planned-walks/next-walks-card.tsx';
import { NearbyUsers } from '../../features/proximity/components/nearby-users.tsx';
import { OutputProblems } from '../../features/proximity/components/output-problems.tsx';
import {
  PracticeAlert,
  PracticeDone,
  usePractice,
} from '../../features/proximity/components/practice-alert.tsx';
import { useWalking } from '../../features/proximity/use-walking.ts';
import { JUST_SET_UP } from '../../features/proximity/walk-start.ts';
import { AskWillItWork } from '../../features/walkers/ask-will-it-work.tsx';
import { LastWalkCard } from '../../features/walks/last-walk-card.tsx';
import { useWalks } from '../../features/walks/use-walks.ts';
import { WalkCard } from '../../features/walks/walk-card.tsx';
import { WeatherCard } from '../../features/weather/weather-card.tsx';
import { WeatherNotice } from '../../features/weather/weather-notice.tsx';
import { LogoutButton } from '../../platform/sign-out/logout-button.tsx';
import { useSyncState } from '../../platform/sync/documents/use-document.ts';
import { obstacleText } from '../../platform/sync/state/obstacle.ts';
import { useUnavailableText } from '../../platform/sync/status/use-unavailable-text.ts';
import { Button } from '../../platform/ui/buttons/button.tsx';
import { useCloseDialog } from '../../platform/ui/dialogs/use-close-dialog.ts';
import { ErrorBanner } from '../../platform/ui/feedback/error-banner.tsx';
import { Skeleton } from '../../platform/ui/feedback/skeleton.tsx';
import { Screen } from '../../platform/ui/layout/screen.tsx';
import { useMedia } from '../../platform/ui/layout/use-media.ts';
import { HashScroll } from '../../platform/ui/navigation/hash-scroll.tsx';
import { DeferredRender } from './deferred-render.tsx';
import { QuickActions } from './quick-actions.tsx';

/** The dashboard. Dialogs are in the address (`?open=test-alerts`), so that the back button closes them. */
export default function HomePage() {
  const card = useOwnCard();
  const isNameMissing = useIsNameMissing();
  const [search] = useSearchParams();
  const close = useCloseDialog('open');
  const isWide = useMedia('(min-width: 48rem)');
  const { isWalking } = useWalking();
  const [practiced, endPractice] = usePractice();
  // Whoever met others has been warned already.
  const hasMet = useWalks()?.some(({ metCount }) => metCount > 0) ?? false;
  const { state, hash } = useLocation();
  const isJustSetUp = state?.isJustSetUp === JUST_SET_UP.isJustSetUp;

  if (isNameMissing) return <Navigate to="/onboarding" replace />;

  const isPracticeDue = card !== null && practiced === 'due' && !hasMet && !isWalking;
  const practice = isPracticeDue ? (
    <PracticeAlert isFirst={isJustSetUp} onEnd={endPractice} />
  ) : (
    practiced === 'heard' && !isWalking && <PracticeDone />
  );
  const isPhoneWalk = isWalking && !isWide;
  const opened = search.get('open');
  const isInMore = hash !== '' || opened === 'add-dog' || opened === 'edit-dog';
  const banner = <MemberSlot placement="banner" fallback={<WalkingTip />} />;
  const logout = <LogoutButton isCompact className="shrink-0 px-3! text-soft!" />;
  const weather = (
    <>
      <AlertCenter />
      <WeatherCard />
    </>
  );
  const dogs = <MyDogs isCompact />;
  const more = (
    <>
      <OwnerIndexCard isBrief />
      <QuickActions />
      {!isWalking && <AskWillItWork />}
      <MemberSlot placement="inline" fallback={<AdvertiseHere />} />
      {/* The last thing on the screen: nothing moves when it comes. */}
      <MemberSlot placement="sidebar" />
      {card && <HashScroll />}
    </>
  );
  return (
    <Screen title="Dashboard" className="flex flex-col gap-3 px-4 pb-4 sm:px-6 md:gap-4">
      <div className="grid grid-cols-1 gap-4 md:min-h-23 md:grid-cols-2 md:items-center">
        <div className="flex min-w-0 items-center gap-1 md:flex-wrap">
          <h1
            tabIndex={-1}
            className="line-clamp-1 min-w-0 flex-1 text-xl font-bold tracking-tight break-all sm:text-3xl md:basis-full"
          >
            {card?.display_name ? `Welcome, ${card.display_name}` : 'Welcome'}
          </h1>
          <ProfileLink className="inline-flex min-h-11 min-w-11 shrink-0 items-center justify-center gap-2 rounded-control font-bold text-accent underline-offset-4 hover:underline sm:px-4 md:-ml-4">
            <UserRound aria-hidden className="size-5 shrink-0" />
            <span className="max-sm:sr-only">My Profile</span>
          </ProfileLink>
          {/* On a walk, nobody logs out by accident. */}
          {!isPhoneWalk && logout}
        </div>
        {/* The banner is sold at the top of a wide screen, below the walk on a phone. What isn't sold comes before nothing else. */}
        {isWide && !isWalking && <MemberSlot placement="banner" fallback={null} />}
      </div>
      <AccessReminder />
      <DataUnavailable />
      {/* The left column is the walk; on a phone it comes first. */}
      <div className="grid grid-cols-1 items-start gap-3 md:grid-cols-2 md:gap-4">
        <div className="flex min-w-0 flex-col gap-3 md:gap-4">
          {practice && isJustSetUp && practice}
          <WalkLoading />
          <WalkCard isSecond={isPracticeDue && isJustSetUp} />
          {isWalking && <NearbyUsers />}
          {!isWide && !isWalking && banner}
          <OutputProblems />
          {!isJustSetUp && practice}
          <DeferredRender>
            <WeatherNotice />
            {!isWalking && <LastWalkCard />}
            {!isPhoneWalk && <NextWalksCard />}
            {isPhoneWalk && <AlertCenter />}
            {!isWide && !isWalking && weather}
            {!isWalking && <NearbyUsers />}
            {!isPhoneWalk && dogs}
          </DeferredRender>
          {isWide && isWalking && banner}
        </div>
        {isPhoneWalk ? (
          <Folded label="Weather, dogs and more" isNeeded={isInMore}>
            <NextWalksCard />
            <WeatherCard />
            {banner}
            {dogs}
            {more}
            {logout}
          </Folded>
        ) : (
          <div className="flex min-w-0 flex-col gap-3 md:gap-4">
            <DeferredRender>
              {isWide && weather}
              {more}
            </DeferredRender>
          </div>
        )}
      </div>
      <HazardModal isOpen={search.get('open') === OPEN_HAZARD} onClose={close} isHere />
    </Screen>
  );
}

/** What a walk doesn't need: it isn't rendered until it is asked for. */
function Folded({
  label,
  isNeeded,
  children,
}: {
  label: string;
  /** Whether the address opens something in it. */
  isNeeded: boolean;
  children: ReactNode;
}) {
  const id = useId();
  const [isWanted, setWanted] = useState(false);
  const isOpen = isWanted || isNeeded;
  return (
    <div className="flex min-w-0 flex-col gap-3">
      <Button
        look="quiet"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setWanted(!isOpen)}
        className="self-center"
        Icon={isOpen ? ChevronUp : ChevronDown}
      >
        {label}
      </Button>
      <div id={id} hidden={!isOpen} className="flex flex-col gap-3">
        {isOpen && children}
      </div>
    </div>
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
