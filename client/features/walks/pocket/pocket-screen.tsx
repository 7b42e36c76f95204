import { Lock } from 'lucide-react';
import { Dialog } from 'radix-ui';
import { useEffect, useState } from 'react';
import { isSevere } from '#shared/alerts/rules.ts';
import { formatTime } from '#shared/dates.ts';
import { nameWithNote } from '#shared/friends/lookalikes.ts';
import { MINUTE_MS } from '#shared/time.ts';
import { useNow } from '../../../platform/use-now.ts';
import { PATTERNS, vibrate } from '../../../platform/vibration.ts';
import { SEVERITY_WORDS } from '../../alerts/severity.tsx';
import { useAlerts } from '../../alerts/use-alerts.ts';
import { useLookalikes } from '../../friends/lookalike-note.tsx';
import { distanceText } from '../../proximity/alerts/alert-text.ts';
import { isVisible } from '../../proximity/alerts/shown-alert.ts';
import { AlertLine, MORE_SHOWN } from '../../proximity/components/alert-line.tsx';
import { statusText } from '../../proximity/monitor/proximity-state.ts';
import { keepScreenOn, type WakeLockState } from '../../proximity/output/keep-screen-on.ts';
import { useProximity } from '../../proximity/use-proximity.ts';
import { useWalking } from '../../proximity/use-walking.ts';
import { useSettings } from '../../settings/use-settings.ts';
import { useUnits } from '../../settings/use-units.ts';
import { useBattery } from './battery.ts';
import { colorOf, PocketWarning } from './pocket-warning.tsx';
import { HOLD_MS, useHold } from './use-hold.ts';

/** Offsets in pixels, one a minute, so that no pixel stays lit for a whole walk. */
const OFFSETS = [
  [0, 0],
  [14, 18],
  [-12, 32],
  [10, -16],
  [-16, 8],
  [4, 44],
  [-6, -24],
] as const;

const SCREEN_TEXTS: Record<Exclude<WakeLockState, 'active'>, string> = {
  refused:
    'Your phone may turn the screen off, and warnings stop then. Turn off battery saver, or charge your phone.',
  missing:
    'This browser can’t keep the screen on, and warnings stop when it turns off. Set your phone’s screen timeout to the longest time.',
};

/** A black screen that ignores taps, with the state of the walk in gray and warnings in large type. */
export function PocketScreen({ onLeave }: { onLeave: () => void }) {
  const [screen, setScreen] = useState<WakeLockState>('active');
  useEffect(() => keepScreenOn(setScreen), []);
  useEffect(fillScreen, []);
  const now = useNow();
  const battery = useBattery();
  const [first, ...others] = useProximity().alerts.filter(isVisible);
  const severe = useAlerts().alerts.find(isSevere);
  const [x, y] = OFFSETS[Math.floor(now / MINUTE_MS) % OFFSETS.length] ?? [0, 0];

  return (
    <Dialog.Root open>
      <Dialog.Portal>
        <Dialog.Content
          onOpenAutoFocus={(event) => {
            event.preventDefault();
            (event.currentTarget as HTMLElement).focus();
          }}
          onEscapeKeyDown={(event) => event.preventDefault()}
          onPointerDownOutside={(event) => event.preventDefault()}
          onInteractOutside={(event) => event.preventDefault()}
          onContextMenu={(event) => event.preventDefault()}
          className="pocket fixed inset-0 z-100 flex touch-none flex-col overflow-hidden bg-ground p-6 pt-[max(1.5rem,env(safe-area-inset-top))] pb-[max(1.5rem,env(safe-area-inset-bottom))] text-soft outline-none select-none"
        >
          <Dialog.Title className="sr-only">Pocket mode</Dialog.Title>
          <Dialog.Description className="sr-only">
            Taps are ignored. Hold Escape for 1.5 seconds to leave, or use the button Leave pocket
            mode.
          </Dialog.Description>
          <button
            type="button"
            onClick={onLeave}
            className="sr-only text-ink focus:not-sr-only focus:min-h-12 focus:font-bold"
          >
            Leave pocket mode
          </button>
          <div
            className="mx-auto flex min-h-0 w-full max-w-xl flex-1 flex-col justify-center-safe gap-5 overflow-hidden"
            style={{ translate: `${x}px ${y}px` }}
          >
            {first && <PocketWarning key={first.user_id} alert={first} />}
            {others.slice(0, MORE_SHOWN).map((alert) => (
              <AlertLine
                key={alert.user_id}
                alert={alert}
                className={`gap-2 text-xl ${colorOf(alert)}`}
              />
            ))}
            {severe && (
              <p className="text-2xl font-bold text-ink">
                {SEVERITY_WORDS[severe.severity]}: {severe.title}
              </p>
            )}
            <div className="flex flex-col gap-1 text-lg">
              <p className="text-4xl tabular-nums">{formatTime(now)}</p>
              <WalkState />
              {battery && (
                <p>
                  <span>Battery {battery.percent}%</span>
                  {battery.perHour !== null && <span>{`, using ${battery.perHour}% an hour`}</span>}
                </p>
              )}
              {/* A warning needs the room. */}
              {screen !== 'active' && !first && (
                <p role="status" className="mt-2 font-bold">
                  {SCREEN_TEXTS[screen]}
                </p>
              )}
            </div>
          </div>
          <HoldToLeave onLeave={onLeave} />
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

/** Hides the browser's own bars, which could be touched. @returns how to bring them back */
function fillScreen(): () => void {
  // Refused without a tap, such as after a reload, and on iPhones.
  void document.documentElement.requestFullscreen?.().catch(() => {});
  return () => {
    if (document.fullscreenElement) void document.exitFullscreen().catch(() => {});
  };
}

function WalkState() {
  const { isWalking } = useWalking();
  const { status, problem, nearby, alerts } = useProximity();
  const { alert_radius_feet } = useSettings().settings;
  const units = useUnits();
  const { title } = statusText(
    { status: isWalking ? status : 'off', problem },
    units.near(alert_radius_feet),
  );
  const lookalikeOf = useLookalikes();
  const [nearest] = nearby ?? [];
  return (
    <>
      <p role="status">{title}</p>
      {isWalking && status === 'active' && alerts.length === 0 && (
        <p>
          {nearest
            ? `Nearest: ${nearest.dogs[0]?.name || nameWithNote(nearest.display_name, lookalikeOf(nearest.user_id, nearest.display_name)) || 'a dog'}, ${distanceText(nearest.distance_feet, units)}`
            : 'No one nearby'}
        </p>
      )}
    </>
  );
}

function HoldToLeave({ onLeave }: { onLeave: () => void }) {
  const { isHolding, handlers } = useHold(() => {
    vibrate(PATTERNS.success);
    onLeave();
  });
  return (
    <div className="flex flex-col items-center gap-2 pt-3">
      <button
        type="button"
        {...handlers}
        className="relative flex size-24 touch-none items-center justify-center rounded-full"
      >
        <svg viewBox="0 0 96 96" aria-hidden className="absolute inset-0 -rotate-90">
          <circle cx="48" cy="48" r="44" fill="none" className="stroke-line" strokeWidth="4" />
          <circle
            cx="48"
            cy="48"
            r="44"
            fill="none"
            pathLength="1"
            strokeDasharray="1"
            strokeDashoffset={isHolding ? 0 : 1}
            strokeWidth="4"
            className="stroke-ink"
            style={{
              transition: isHolding ? `stroke-dashoffset ${HOLD_MS}ms linear` : 'none',
            }}
          />
        </svg>
        <Lock aria-hidden className="size-8" />
        <span className="sr-only">Hold to leave pocket mode</span>
      </button>
      <p aria-hidden>{isHolding ? 'Keep holding…' : 'Hold to leave'}</p>
    </div>
  );
}
