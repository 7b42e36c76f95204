import { ChevronLeft, ChevronRight, ShieldCheck } from 'lucide-react';
import { useEffect, useRef, type ComponentType } from 'react';
import { Link, Navigate, useLocation, useSearchParams } from 'react-router-dom';
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
import { LockedSoundRow } from '../../features/sounds/locked-sound.tsx';
import { DevicesCard } from '../../platform/session/devices-card.tsx';
import { useUser } from '../../platform/session/use-auth.tsx';
import { useUnavailableText } from '../../platform/sync/status/use-unavailable-text.ts';
import { ButtonLink } from '../../platform/ui/buttons/button.tsx';
import { ErrorBanner } from '../../platform/ui/feedback/error-banner.tsx';
import { Skeleton } from '../../platform/ui/feedback/skeleton.tsx';
import { Card } from '../../platform/ui/layout/card.tsx';
import { Screen } from '../../platform/ui/layout/screen.tsx';
import { useMedia } from '../../platform/ui/layout/use-media.ts';
import { useCurrentValues } from './use-current-values.ts';

interface Section {
  /** The hash of its page. */
  id: string;
  name: string;
  /** Shown where nothing is chosen. */
  more: string;
  Part: ComponentType;
  isSynced?: boolean;
  /** The dialog that it opens. */
  dialog?: string;
}

const SECTIONS: readonly Section[] = [
  {
    id: 'alerts',
    name: 'Alerts',
    more: 'Sound, voice, vibration, radius',
    Part: Alerts,
    isSynced: true,
  },
  {
    id: 'sounds',
    name: 'Alert sounds',
    more: 'Your own for each kind of dog',
    Part: AlertSounds,
    dialog: 'sound',
    isSynced: true,
  },
  {
    id: 'quiet-places',
    name: 'Quiet places',
    more: 'Where you’re neither shown nor warned',
    Part: QuietPlaces,
    dialog: 'quiet-place',
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
  {
    id: 'your-data',
    name: 'Your data',
    more: 'Export, delete the account',
    Part: YourData,
    dialog: 'delete-account',
  },
];

function Alerts() {
  return <AlertSettings outputs={<LockedSoundRow />} />;
}

function Account() {
  return (
    <>
      <AccountCard />
      {/* Last: it grows when it has loaded. */}
      <DecisionsCard />
    </>
  );
}

/** Synced settings, settings of this device, and the account's data. A wide window shows the list beside the chosen section. */
export default function SettingsPage() {
  const { status } = useSettings();
  const unavailable = useUnavailableText('your settings');
  const user = useUser();
  const { hash } = useLocation();
  const [search] = useSearchParams();
  const isWide = useMedia('(min-width: 48rem)');
  const heading = useRef<HTMLHeadingElement>(null);
  const sections = SECTIONS.filter(({ isSynced }) => !isSynced || status !== 'unavailable');
  const addressed = SECTIONS.find(({ id }) => `#${id}` === hash);
  const chosen = addressed ?? (isWide ? sections[0] : undefined);
  const title = (!isWide && addressed?.name) || 'Settings';
  const last = useRef(hash);
  useEffect(() => {
    if (last.current === hash) return;
    last.current = hash;
    // On a phone, the link that was pressed is gone.
    if (!isWide) heading.current?.focus({ preventScroll: true });
    scrollTo(0, 0);
  }, [hash, isWide]);
  // A link to a dialog need not name its section.
  const opening = SECTIONS.find(({ dialog }) => dialog && dialog === search.get('open'));
  if (!addressed && opening)
    return <Navigate replace to={{ search: search.toString(), hash: opening.id }} />;
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
        {user?.is_admin && (isWide || !chosen) && (
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
      <div className="grid grid-cols-1 items-start gap-4 md:grid-cols-[minmax(16rem,1fr)_minmax(0,2fr)]">
        {(isWide || !chosen) && <SectionList sections={sections} current={chosen?.id} />}
        {chosen && (
          // On a phone, the heading says the title of the first card.
          <div
            className={`flex flex-col gap-4 ${isWide ? '' : '[&>section:first-child_h2]:sr-only'}`}
          >
            {chosen.isSynced && status === 'loading' ? (
              <Card title={chosen.name} id={chosen.id}>
                <Skeleton label="Loading your settings…" lines={5} />
              </Card>
            ) : (
              (!chosen.isSynced || status === 'ready') && <chosen.Part />
            )}
          </div>
        )}
      </div>
    </Screen>
  );
}

function SectionList({
  sections,
  current,
}: {
  sections: readonly Section[];
  current: string | undefined;
}) {
  const values = useCurrentValues();
  return (
    <nav aria-label="Settings" className="md:sticky md:top-4">
      <ul className="divide-y divide-line overflow-hidden rounded-card border border-line bg-surface shadow-lift">
        {sections.map(({ id, name, more }) => (
          <li key={id}>
            <Link
              to={`#${id}`}
              aria-current={id === current ? 'page' : undefined}
              className="flex min-h-14 items-center gap-3 px-4 py-2 -outline-offset-2 md:min-h-12 md:py-1.5 aria-[current]:bg-accent-soft"
            >
              <span className="min-w-0 flex-1">
                <span className="block font-bold">{name}</span>
                <span className="block text-sm text-soft">{values[id] ?? more}</span>
              </span>
              <ChevronRight aria-hidden className="size-5 shrink-0 text-soft" />
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
