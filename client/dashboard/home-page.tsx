import { UserRound } from 'lucide-react';
import { Suspense, useEffect } from 'react';
import { Navigate, useLocation, useSearchParams } from 'react-router-dom';
import { AlertCenter } from '../alerts/alert-center.tsx';
import { AdvertiseHere } from '../ads/advertise-here.tsx';
import { WalkingTip } from '../ads/walking-tip.tsx';
import { MemberSlot } from '../ads/member-slot.tsx';
import { MyDogs } from '../dogs/my-dogs.tsx';
import { IndexModal } from '../friendly-index/index-modal.tsx';
import { OwnerIndexCard } from '../friendly-index/owner-index-card.tsx';
import { SanctionNotice } from '../moderation/sanction-notice.tsx';
import { lazyComponent } from '../lazy/lazy-component.ts';
import { ProfileLink } from '../profile/profile-link.tsx';
import { useCard } from '../profile/use-card.ts';
import { LocationToggle } from '../proximity/components/location-toggle.tsx';
import { NearbyUsers } from '../proximity/components/nearby-users.tsx';
import { LogoutButton } from '../session/logout-button.tsx';
import { Card } from '../ui/card.tsx';
import { ErrorBanner } from '../ui/error-banner.tsx';
import { Modal } from '../ui/modal.tsx';
import { Screen } from '../ui/screen.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { useClose } from '../ui/use-close-dialog.ts';
import { WeatherCard } from '../weather/weather-card.tsx';
import { WeatherNotice } from '../weather/weather-notice.tsx';
import { QuickActions } from './quick-actions.tsx';

const AlertTester = lazyComponent(() => import('../proximity/components/alert-tester.tsx'));
const ReferFriends = lazyComponent(() => import('../referrals/refer-friends.tsx'));

/** On a phone the label is below its icon, as in the navigation. */
const STACKED =
  'max-sm:min-w-11 max-sm:flex-col max-sm:gap-0.5 max-sm:px-2 max-sm:py-1 max-sm:text-sm';

/** The dashboard. Dialogs are in the address (`?open=test-alerts`), so that the back button closes them. */
export default function HomePage() {
  const { status, card } = useCard();
  const [search] = useSearchParams();
  const { hash } = useLocation();
  const isReady = card !== null;
  const close = useClose('open', 'dog');

  useEffect(() => {
    if (isReady && hash) document.getElementById(hash.slice(1))?.scrollIntoView();
  }, [hash, isReady]);

  if (status === 'ready' && !card?.display_name) return <Navigate to="/onboarding" replace />;

  return (
    <Screen title="Dashboard" className="flex flex-col gap-4 px-4 pb-4 sm:px-6">
      <MemberSlot placement="banner" fallback={<AdvertiseHere />} />
      <div className="flex flex-wrap items-center gap-1 py-1">
        <h1
          tabIndex={-1}
          // On a phone most names wrap to a second line.
          className="flex min-w-0 grow basis-32 items-center text-2xl font-bold tracking-tight max-sm:min-h-16 sm:text-3xl"
        >
          <span className="line-clamp-3 break-words">
            {card?.display_name ? `Welcome, ${card.display_name}` : 'Welcome'}
          </span>
        </h1>
        <ProfileLink
          className={`inline-flex min-h-12 shrink-0 items-center justify-center gap-2 rounded-control px-5 font-bold text-accent underline-offset-4 hover:underline ${STACKED}`}
        >
          <UserRound aria-hidden className="size-5 shrink-0" />
          My Profile
        </ProfileLink>
        <LogoutButton className={`-mr-2 shrink-0 sm:-mr-5 ${STACKED}`} />
      </div>
      <SanctionNotice />
      <WeatherNotice />
      <AlertCenter />
      {status === 'unavailable' && (
        <ErrorBanner title="Your data hasn’t loaded on this device yet">
          Connect to the internet once to load it.
        </ErrorBanner>
      )}
      <div className="grid grid-cols-1 items-start gap-4 md:grid-cols-2">
        <div className="flex flex-col gap-4">
          {status === 'loading' && !card && (
            <Card title="Location sharing" action={null}>
              <div className="h-28 overflow-hidden md:h-23">
                <Skeleton label="Loading location sharing…" lines={2} />
              </div>
            </Card>
          )}
          <LocationToggle />
          <NearbyUsers />
          <WeatherCard />
          <MemberSlot placement="inline" fallback={<WalkingTip />} />
        </div>
        <div className="flex flex-col gap-4">
          <OwnerIndexCard />
          <MyDogs />
          <QuickActions />
          {/* The last thing on the screen: nothing moves when it comes. */}
          <MemberSlot placement="sidebar" />
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
