import { ShieldCheck } from 'lucide-react';
import { DecisionsCard } from '../../features/moderation/people/decisions-card.tsx';
import { PushSettings } from '../../features/push/push-settings.tsx';
import { DevicesCard } from '../../platform/session/devices-card.tsx';
import { useUser } from '../../platform/session/use-auth.tsx';
import { AlertSounds } from '../../features/sounds/alert-sounds.tsx';
import { ErrorBanner } from '../../platform/ui/feedback/error-banner.tsx';
import { ButtonLink } from '../../platform/ui/buttons/button.tsx';
import { HashScroll } from '../../platform/ui/navigation/hash-scroll.tsx';
import { Screen } from '../../platform/ui/layout/screen.tsx';
import { Skeleton } from '../../platform/ui/feedback/skeleton.tsx';
import { AccountCard } from '../../features/settings/account-card.tsx';
import { AlertSettings } from '../../features/settings/alert-settings.tsx';
import { QuietPlaces } from '../../features/settings/quiet-places.tsx';
import { ThemeSettings } from '../../features/settings/theme-settings.tsx';
import { ThisDevice } from '../../features/settings/this-device.tsx';
import { UnitsSettings } from '../../features/settings/units-settings.tsx';
import { useSettings } from '../../features/settings/use-settings.ts';
import { YourData } from '../../features/account/your-data.tsx';
import { useUnavailableText } from '../../platform/sync/status/use-unavailable-text.ts';

/** On a phone, the cards are one long column, and these links to them stay at the top. */
const SECTIONS = [
  { id: 'alerts', name: 'Alerts', isSynced: true },
  { id: 'sounds', name: 'Alert sounds', isSynced: true },
  { id: 'quiet-places', name: 'Quiet places', isSynced: true },
  { id: 'notifications', name: 'Notifications' },
  { id: 'units', name: 'Units', isSynced: true },
  { id: 'appearance', name: 'Appearance' },
  { id: 'account', name: 'Account' },
  { id: 'your-data', name: 'Your data' },
  { id: 'this-device', name: 'This device' },
  { id: 'devices', name: 'Where you’re signed in' },
];

/** Synced settings, settings of this device, and the account's data. */
export default function SettingsPage() {
  const { status } = useSettings();
  const unavailable = useUnavailableText('your settings');
  const user = useUser();
  return (
    <Screen title="Settings" className="flex flex-col gap-4 px-4 pb-4 sm:px-6">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-2">
        <h1 tabIndex={-1} className="text-2xl font-bold tracking-tight sm:text-3xl">
          Settings
        </h1>
        {user?.is_admin && (
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
      <nav
        aria-label="Settings"
        className="sticky top-0 z-10 -mx-4 overflow-x-auto bg-ground px-4 py-2 sm:-mx-6 sm:px-6 md:hidden"
      >
        <ul className="flex w-max gap-2">
          {SECTIONS.filter(({ isSynced }) => !isSynced || status !== 'unavailable').map(
            ({ id, name }) => (
              <li key={id}>
                <a
                  href={`#${id}`}
                  className="flex min-h-11 items-center rounded-full border border-line-strong bg-surface px-4 font-bold"
                >
                  {name}
                </a>
              </li>
            ),
          )}
        </ul>
      </nav>
      {/* What comes above others later would move them under a finger. */}
      {status === 'loading' ? (
        <Skeleton label="Loading your settings…" lines={12} />
      ) : (
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
      {status === 'ready' && <HashScroll />}
    </Screen>
  );
}
