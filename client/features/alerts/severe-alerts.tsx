import { X } from 'lucide-react';
import { useState } from 'react';
import type { EmergencyAlert } from '#shared/alerts/contract.ts';
import { isSevere } from '#shared/alerts/rules.ts';
import { useUser } from '../../platform/session/use-auth.tsx';
import { AboveDialogs } from '../../platform/ui/dialogs/above-dialogs.tsx';
import { asReadFirst } from '../../platform/ui/feedback/toast-place.ts';
import { SEVERITY_LOOKS, SEVERITY_WORDS, untilWords } from './severity.tsx';
import { useAlerts } from './use-alerts.ts';
import { useAnnouncer } from './use-announcer.ts';
import { useTapGuard } from './use-tap-guard.ts';

const SHOWN_MAX = 2;
const keyOf = ({ id, severity }: EmergencyAlert) => `${id} ${severity}`;

/** Announces emergency alerts on every screen, and shows severe ones at the top right until they are dismissed. */
export function SevereAlerts() {
  const user = useUser();
  const { alerts, acknowledge } = useAlerts();
  const [dismissed, setDismissed] = useState<ReadonlySet<string>>(new Set());
  useAnnouncer(user?.id ?? '', alerts);
  const floating = alerts.filter((alert) => isSevere(alert) && !dismissed.has(keyOf(alert)));
  const tapGuard = useTapGuard(floating.map(keyOf));
  const more = floating.length - SHOWN_MAX;
  const region = (
    <div
      ref={asReadFirst}
      role="region"
      {...tapGuard}
      aria-label="Severe alerts"
      aria-live="assertive"
      // Otherwise a dialog below would treat a tap here as a tap outside it, and close.
      onPointerDown={(event) => event.stopPropagation()}
      className="pointer-events-none fixed inset-x-2 top-[max(0.5rem,env(safe-area-inset-top))] z-60 flex max-h-[calc(100dvh-1rem-env(safe-area-inset-top)-env(safe-area-inset-bottom))] flex-col gap-2 overflow-y-auto overscroll-contain sm:left-auto sm:w-96"
    >
      {floating.slice(0, SHOWN_MAX).map((alert, index) => {
        const { Icon, look, iconLook } = SEVERITY_LOOKS[alert.severity];
        return (
          <div
            key={keyOf(alert)}
            className={`pointer-events-auto shrink-0 rounded-card border-2 p-3 shadow-lift ${look}`}
          >
            <div className="flex items-start gap-3">
              <Icon aria-hidden className={`mt-0.5 size-6 shrink-0 ${iconLook}`} />
              <div className="min-w-0 flex-1">
                {/* The alert center shows the full text. */}
                <p className="line-clamp-3 font-bold break-words">
                  {SEVERITY_WORDS[alert.severity]}: {alert.title}
                </p>
                <p
                  className={`line-clamp-2 text-sm break-words ${index > 0 ? 'max-sm:hidden' : ''}`}
                >
                  {alert.instructions ?? alert.description}
                </p>
                <p className="text-sm">{untilWords(alert.expires_at)}</p>
              </div>
              <button
                type="button"
                aria-label={`Dismiss: ${alert.title}`}
                onClick={() => setDismissed(new Set([...dismissed, keyOf(alert)]))}
                className="-mt-1 -mr-1 inline-flex size-11 shrink-0 items-center justify-center rounded-control"
              >
                <X aria-hidden className="size-5" />
              </button>
            </div>
            <button
              type="button"
              onClick={() => acknowledge(alert)}
              className="mt-2 min-h-11 w-full rounded-control border-2 border-current px-4 font-bold"
            >
              Got it<span className="sr-only">: {alert.title}</span>
            </button>
          </div>
        );
      })}
      {more > 0 && (
        <p className="pointer-events-auto shrink-0 rounded-control bg-ink px-3 py-2 text-sm font-bold text-ground">
          and {more} more in the alert center
        </p>
      )}
    </div>
  );
  return <AboveDialogs>{region}</AboveDialogs>;
}
