import {
  Footprints,
  LocateFixed,
  LocateOff,
  Moon,
  Pause,
  Radar,
  Square,
  TriangleAlert,
} from 'lucide-react';
import { useId } from 'react';
import { useReachable } from '../../platform/http/use-reachable.ts';
import { Button, ButtonLink } from '../../platform/ui/buttons/button.tsx';
import { useOwnCard } from '../card/use-card.ts';
import { OPEN_HAZARD } from '../hazards/hazard-kinds.ts';
import { ElapsedTime } from '../proximity/components/elapsed-time.tsx';
import { BlockedSound } from '../proximity/components/output-problems.tsx';
import { WalkDogs } from '../proximity/components/walk-dogs.tsx';
import {
  type TrackingStatus,
  pauseText,
  statusText,
} from '../proximity/monitor/proximity-state.ts';
import { useProximity } from '../proximity/use-proximity.ts';
import { useSettings } from '../settings/use-settings.ts';
import { useUnits } from '../settings/use-units.ts';
import { PocketModeLink } from './pocket/pocket-mode-link.tsx';
import { useWalk } from './use-walk.ts';
import { useWalks } from './use-walks.ts';

const LOOKS: Record<'on' | 'waiting' | 'stopped', string> = {
  on: 'bg-accent-soft text-ink',
  waiting: 'bg-sunken text-ink',
  stopped: 'border-2 border-ink bg-surface text-ink',
};

function lookOf(status: TrackingStatus): { look: string; Icon: typeof Radar } {
  if (status === 'active') return { look: LOOKS.on, Icon: Radar };
  if (status === 'off') return { look: LOOKS.waiting, Icon: LocateOff };
  if (status === 'quiet') return { look: LOOKS.waiting, Icon: Moon };
  if (status === 'starting') return { look: LOOKS.waiting, Icon: LocateFixed };
  if (status === 'denied' || status === 'unsupported')
    return { look: LOOKS.stopped, Icon: LocateOff };
  return { look: LOOKS.stopped, Icon: Pause };
}

/**
 * Starts and ends a walk, which turns location sharing on and off, and shows whether warnings work now, and if not, why. What one
 * presses stays in its place whatever is said below it. Decision 290.
 */
export function WalkCard({
  isSecond = false,
}: {
  /** Whether something else on the screen comes first. */
  isSecond?: boolean;
}) {
  const card = useOwnCard();
  const { isWalking, status, problem } = useWalk();
  const { settings } = useSettings();
  const units = useUnits();
  const { pausedMs, leads } = useProximity();
  const isOnline = useReachable();
  const headingId = useId();
  const statusId = useId();
  const hasWalked = useWalks()?.some(({ endedAt }) => endedAt !== null) ?? false;
  if (!card) return null;
  const text = statusText({ status, problem }, units.near(settings.alert_radius_feet), isOnline);
  const { look, Icon } = lookOf(status);
  // While all is well, the card of who is near says the rest; whoever has walked knows what it is for.
  const isBrief = (isWalking && status === 'active') || (status === 'off' && hasWalked && isOnline);

  return (
    <section
      aria-labelledby={headingId}
      className="flex flex-col gap-2.5 rounded-card border border-line bg-surface p-3 shadow-lift sm:p-4"
    >
      <h2 id={headingId} className="sr-only">
        Location sharing
      </h2>
      {!isWalking && <WalkDogs isWalking={false} />}
      {!isWalking && <StartWalk isSecond={isSecond} describedBy={statusId} />}
      {isWalking && <WalkControls />}
      <div
        id={statusId}
        className={`flex items-start gap-2.5 rounded-control px-3 ${isBrief ? 'py-1 text-sm' : 'py-2'} ${look}`}
      >
        <Icon aria-hidden className={`mt-0.5 shrink-0 ${isBrief ? 'size-4' : 'size-5'}`} />
        <div role="status" className="min-w-0 flex-1 leading-snug">
          <p className="font-bold">{text.title}</p>
          <p className={isBrief ? 'sr-only' : 'text-sm'}>{text.more}</p>
          {pausedMs !== null && <p className="mt-1.5 text-sm font-bold">{pauseText(pausedMs)}</p>}
        </div>
      </div>
      {isWalking && <BlockedSound />}
      {isWalking && <WalkDogs isWalking />}
      {isWalking && leads === false && (
        <p className="text-sm text-soft">
          Another of your tabs speaks the warnings; this one shows them.
        </p>
      )}
    </section>
  );
}

function StartWalk({ isSecond, describedBy }: { isSecond: boolean; describedBy: string }) {
  const { start } = useWalk();
  return (
    <Button
      wide
      look={isSecond ? 'secondary' : 'primary'}
      onClick={start}
      aria-describedby={describedBy}
      className={isSecond ? 'min-h-16 text-xl' : 'min-h-24 text-2xl'}
      icon={<Footprints aria-hidden className={`shrink-0 ${isSecond ? 'size-7' : 'size-9'}`} />}
    >
      Start walk
    </Button>
  );
}

/** The time and length of a walk, and its buttons. */
function WalkControls() {
  const { status, end } = useWalk();
  const { retry } = useProximity();
  const units = useUnits();
  const current = useWalks()?.find(({ endedAt }) => endedAt === null);
  return (
    <div className="flex flex-wrap items-center gap-2">
      {current && (
        <p className="min-w-24 px-1 leading-tight">
          <ElapsedTime since={current.startedAt} className="block text-3xl font-bold" />
          <span className="text-sm tabular-nums">
            <span className="sr-only">Distance: </span>
            {units.walked(current.distanceMeters)}
          </span>
        </p>
      )}
      <Button
        look="secondary"
        onClick={end}
        className="min-h-16 flex-1 border-2 text-xl whitespace-nowrap"
        icon={<Square aria-hidden className="size-6 shrink-0 fill-current" />}
      >
        End walk
      </Button>
      {status === 'denied' && (
        <Button wide onClick={retry}>
          Try again
        </Button>
      )}
      <div className="flex w-full flex-wrap gap-2">
        <PocketModeLink className="flex-1 basis-32 px-2!" />
        <ButtonLink
          look="secondary"
          to={`?open=${OPEN_HAZARD}`}
          Icon={TriangleAlert}
          className="flex-1 basis-32 px-2!"
        >
          Hazard<span className="sr-only">: report one here</span>
        </ButtonLink>
      </div>
    </div>
  );
}
