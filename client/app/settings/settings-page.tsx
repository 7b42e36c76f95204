import { ChevronLeft, ChevronRight, ShieldCheck } from 'lucide-react';
import { useEffect, useRef, type RefObject } from 'react';
import { Link, useLocation } from 'react-router-dom';
import { YourData } from '../../features/account/your-data.tsx';
import { DecisionsCard } from '../../features/moderation/people/decisions-card.tsx';
import { PushSettings } from '../../features/push/push-settings.tsx';
import { AccountCard } from '../../features/settings/account-card.tsx';
import { AlertSettings } from '../../features/settings/alert-settings.tsx';
import { QuietPlaces } from '../../features/settings/quiet-places.tsx';
import { ThemeSettings } from '../../features/settings/theme-settings.tsx';
import { ThisDevice } from '../../features/settings/this-device.tsx';
import { UnitsSettings } from '../../features/settings/units-settings.tsx';
import { useSettings } from '../../features/settings/use-settings.ts';
import { AlertSounds } from '../../features/sounds/alert-sounds.tsx';
import { DevicesCard } from '../../platform/session/devices-card.tsx';
import { useUser } from '../../platform/session/use-auth.tsx';
import { useUnavailableText } from '../../platform/sync/status/use-unavailable-text.ts';
import { ButtonLink } from '../../platform/ui/buttons/button.tsx';
import { ErrorBanner } from '../../platform/ui/feedback/error-banner.tsx';
import { Skeleton } from '../../platform/ui/feedback/skeleton.tsx';
import { Card } from '../../platform/ui/layout/card.tsx';
import { Screen } from '../../platform/ui/layout/screen.tsx';
import { useMedia } from '../../platform/ui/layout/use-media.ts';
import { HashScroll } from '../../platform/ui/navigation/hash-scroll.tsx';
import { useCurrentValues } from './use-current-values.ts';

/** On a phone, each has a page of its own, which the hash names; a wide window shows all. */
const SECTIONS = [
  {
    id: 'alerts',
    name: 'Alerts',
    more: 'Sound, voice, vibration, radius',
    Part: AlertSettings,
    isSynced: true,
  },
  {
    id: 'sounds',
    name: 'Alert sounds',
    more: 'Your own for each kind of dog',
    Part: AlertSounds,
    isSynced: true,
  },
  {
    id: 'quiet-places',
    name: 'Quiet places',
    more: 'Where you’re neither shown nor warned',
    Part: QuietPlaces,
    isSynced: true,
  },
  {
    id: 'notifications',
    name: 'Notifications',
    more: 'While the app is closed, quiet hours',
    Part: PushSettings,
  },
  { id: 'units', name: 'Units', more: 'Miles or kilometers', Part: UnitsSettings, isSynced: true },
  { id: 'appearance', name: 'Appearance', more: 'Light or dark', Part: ThemeSettings },
  { id: 'this-device', name: 'This device', more: 'Storage, home screen', Part: ThisDevice },
  { id: 'devices', name: 'Where you’re signed in', more: 'End sessions', Part: DevicesCard },
  { id: 'account', name: 'Account', more: 'Your access, decisions about you', Part: Account },
  { id: 'your-data', name: 'Your data', more: 'Export, delete the account', Part: YourData },
];

function Account() {
  return (
    <>
      <AccountCard />
      {/* Last: it grows when it has loaded. */}
      <DecisionsCard />
    </>
  );
}

/** Synced settings, settings of this device, and the account's data. */
export default function SettingsPage() {
  const { status } = useSettings();
  const unavailable = useUnavailableText('your settings');
  const user = useUser();
  const { hash } = useLocation();
  const isWide = useMedia('(min-width: 48rem)');
  const heading = useRef<HTMLHeadingElement>(null);
  const chosen = isWide ? undefined : SECTIONS.find(({ id }) => `#${id}` === hash);
  const title = chosen?.name ?? 'Settings';
  return (
    <Screen title={title} className="flex flex-col gap-4 px-4 pb-4 sm:px-6">
      {!isWide && (
        <ButtonLink
          look="quiet"
          to={chosen ? '/settings' : '/you'}
          Icon={ChevronLeft}
          className="-mb-4 self-start px-0!"
        >
          {chosen ? 'All settings' : 'You'}
        </ButtonLink>
      )}
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-2">
        <h1
          ref={heading}
          tabIndex={-1}
          className="text-2xl font-bold tracking-tight outline-none sm:text-3xl"
        >
          {title}
        </h1>
        {user?.is_admin && !chosen && (
          <ButtonLink to="/admin?tab=overview" look="secondary" Icon={ShieldCheck}>
            Admin
          </ButtonLink>
        )}
      </div>
      {status === 'unavailable' && (
        <ErrorBanner title="Your settings haven’t loaded on this device yet">
          {unavailable}
        </ErrorBanner>
      )}
      {!isWide && <PhonePart chosen={chosen} heading={heading} status={status} />}
      {/* What comes above others later would move them under a finger. */}
      {isWide && status === 'loading' && <Skeleton label="Loading your settings…" lines={12} />}
      {isWide && status !== 'loading' && (
        <div className="grid grid-cols-1 items-start gap-4 md:grid-cols-2">
          <div className="flex flex-col gap-4">
            {status === 'ready' && (
              <>
                <AlertSettings />
                <AlertSounds />
                <QuietPlaces />
              </>
            )}
            <PushSettings />
          </div>
          <div className="flex flex-col gap-4">
            {status === 'ready' && <UnitsSettings />}
            <ThemeSettings />
            <AccountCard />
            <YourData />
            {/* Last: they grow when they have loaded. */}
            <ThisDevice />
            <DevicesCard />
            <DecisionsCard />
          </div>
        </div>
      )}
      {/* Until the settings are loaded, the sections of a link are missing or higher up. */}
      {isWide && status === 'ready' && <HashScroll />}
    </Screen>
  );
}

/** The section of the address, which the screen's heading names, or the list of them. */
function PhonePart({
  chosen,
  heading,
  status,
}: {
  chosen: (typeof SECTIONS)[number] | undefined;
  heading: RefObject<HTMLHeadingElement | null>;
  status: ReturnType<typeof useSettings>['status'];
}) {
  const { hash } = useLocation();
  const last = useRef(hash);
  useEffect(() => {
    // The link that was pressed is gone.
    if (last.current !== hash) heading.current?.focus({ preventScroll: true });
    last.current = hash;
    scrollTo(0, 0);
  }, [hash, heading]);
  const values = useCurrentValues();
  if (chosen) {
    const { Part } = chosen;
    return (
      // The heading says the title of the first card.
      <div className="flex flex-col gap-2 [&>section:first-child_h2]:sr-only">
        {chosen.isSynced && status === 'loading' ? (
          <Card title={chosen.name} id={chosen.id}>
            <Skeleton label="Loading your settings…" lines={5} />
          </Card>
        ) : (
          (!chosen.isSynced || status === 'ready') && <Part />
        )}
      </div>
    );
  }
  return (
    <nav aria-label="Settings">
      <ul className="divide-y divide-line overflow-hidden rounded-card border border-line bg-surface shadow-lift">
        {SECTIONS.filter(({ isSynced }) => !isSynced || status !== 'unavailable').map(
          ({ id, name, more }) => (
            <li key={id}>
              <Link to={`#${id}`} className="flex min-h-14 items-center gap-3 px-4 py-2">
                <span className="min-w-0 flex-1">
                  <span className="block font-bold">{name}</span>
                  <span className="block text-sm text-soft">{values[id] ?? more}</span>
                </span>
                <ChevronRight aria-hidden className="size-5 shrink-0 text-soft" />
              </Link>
            </li>
          ),
        )}
      </ul>
    </nav>
  );
}
