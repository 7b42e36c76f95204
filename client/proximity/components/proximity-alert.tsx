import { Volume2 } from 'lucide-react';
import { useTapGuard } from '../../alerts/use-tap-guard.ts';
import { LEASH } from '../../ui/leash-badge.tsx';
import { AboveDialogs } from '../../ui/top-layer-portal.tsx';
import type { ShownAlert } from '../alerts/alert-controller.ts';
import { useAudioAvailability, useProximity } from '../use-proximity.ts';
import { shortDistance } from '../alerts/alert-text.ts';

const MORE_SHOWN = 2;

/** Another alert, in one line. */
function NextAlert({ alert }: { alert: ShownAlert }) {
  const { Icon, soft } = LEASH[alert.urgent ? 'leash_on' : 'leash_off'];
  return (
    <p className={`flex items-center gap-2.5 px-4 py-2.5 text-lg font-bold ${soft}`}>
      <Icon aria-hidden className="size-6 shrink-0" />
      <span className="min-w-0 truncate">{alert.names}</span>
      <span className="flex-1 whitespace-nowrap">{alert.verdict}</span>
      <span className="whitespace-nowrap tabular-nums">
        {shortDistance(alert.distance_feet, 'ft')}
      </span>
    </p>
  );
}

/**
 * The alert, above everything else, at the bottom of the screen within the thumb's reach. It closes when the others have
 * left or when it is dismissed.
 */
export function ProximityAlert() {
  const { alerts, dismiss } = useProximity();
  const { audio, speech, turnSoundOn } = useAudioAvailability();
  const [first, ...others] = alerts;
  // Omits the distance, which would be announced again at each change.
  const announcement = alerts
    .map(
      (alert) => `${alert.names} ${alert.verdict}. ${alert.display_name} is near. ${alert.advice}`,
    )
    .join(' ');
  const tapGuard = useTapGuard(alerts.map((alert) => alert.user_id));
  const isSilent = audio !== 'on' && speech !== 'on';
  const isBlocked = audio === 'blocked' || speech === 'blocked';
  const unseen = others.length - MORE_SHOWN;

  const shown = first && (
    <section
      aria-label="Dog nearby"
      {...tapGuard}
      // Otherwise a dialog below would treat a tap here as a tap outside it, and close.
      onPointerDown={(event) => event.stopPropagation()}
      className="pointer-events-auto fixed inset-x-0 bottom-0 z-60 max-h-dvh overflow-y-auto border-t-4 border-surface bg-surface pb-[env(safe-area-inset-bottom)] shadow-lift sm:inset-x-auto sm:right-6 sm:bottom-6 sm:left-auto sm:w-full sm:max-w-xl sm:rounded-card sm:border-4"
    >
      <AlertCard key={first.user_id} alert={first} />
      {others.slice(0, MORE_SHOWN).map((alert) => (
        <NextAlert key={alert.user_id} alert={alert} />
      ))}
      {unseen > 0 && (
        <p className="px-4 py-2 font-bold">
          and {unseen} more {unseen === 1 ? 'person' : 'people'} with dogs
        </p>
      )}
      <div className="sticky bottom-0 flex flex-wrap gap-2 bg-surface p-3">
        {isSilent && isBlocked && (
          <button
            type="button"
            onClick={() => void turnSoundOn()}
            className="flex min-h-14 flex-1 items-center justify-center gap-2 rounded-control border-2 border-ink px-3 text-lg font-bold"
          >
            <Volume2 aria-hidden className="size-6" />
            Sound on
          </button>
        )}
        <button
          type="button"
          // Alerts that aren't shown stay.
          onClick={() => dismiss(alerts.slice(0, 1 + MORE_SHOWN).map((alert) => alert.user_id))}
          className="min-h-14 flex-1 rounded-control bg-ink px-3 text-lg font-bold text-ground"
        >
          Got it
        </button>
      </div>
    </section>
  );
  return (
    <>
      <p aria-live="assertive" className="sr-only">
        {announcement}
      </p>
      <AboveDialogs>{shown}</AboveDialogs>
    </>
  );
}

/** One alert, readable at arm's length in sunlight: which dog, how far, who, what to do. */
export function AlertCard({ alert }: { alert: ShownAlert }) {
  const { Icon, strong } = LEASH[alert.urgent ? 'leash_on' : 'leash_off'];
  return (
    <div className={`flex flex-col gap-2 p-4 ${strong}`}>
      <div className="flex flex-wrap items-center gap-3">
        <Icon aria-hidden className="size-14 shrink-0" strokeWidth={2.25} />
        <p className="min-w-0 flex-1 basis-40 text-[2rem] leading-[1.1] font-bold">
          <span className="line-clamp-2">{alert.names}</span> {alert.verdict}
        </p>
      </div>
      <p className="flex flex-wrap items-baseline gap-x-3">
        <span className="text-5xl font-bold whitespace-nowrap tabular-nums">
          {shortDistance(alert.distance_feet, 'ft')}
        </span>{' '}
        <span className="max-w-full min-w-0 truncate text-xl font-bold">
          with {alert.display_name}
        </span>
      </p>
      <p className="text-xl font-bold">{alert.advice}</p>
      {alert.dogs.length > 1 && (
        <ul className="flex flex-wrap gap-x-4 gap-y-1 text-base font-bold">
          {alert.dogs.map((dog, index) => {
            const { Icon: DogIcon, word } = LEASH[dog.sound_type];
            return (
              <li key={index} className="flex items-center gap-1.5">
                <DogIcon aria-hidden className="size-5 shrink-0" />
                {dog.name}: {word.toLowerCase()}
              </li>
            );
          })}
        </ul>
      )}
    </div>
  );
}
