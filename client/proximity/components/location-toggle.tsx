import { LocateFixed, LocateOff, Moon, Pause, Radar } from 'lucide-react';
import { useId } from 'react';
import { useCard } from '../../profile/use-card.ts';
import { useSharing } from '../../profile/use-sharing.ts';
import { useSettings } from '../../settings/use-settings.ts';
import { useUnits } from '../../settings/use-units.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Switch } from '../../ui/switch.tsx';
import { BlockedWarnings } from './output-problems.tsx';
import { type TrackingStatus, pauseText, statusText } from '../monitor/proximity-state.ts';
import { useProximity } from '../use-proximity.ts';
import { PocketModeLink } from '../../walks/pocket/pocket-mode-link.tsx';
import { useEndWalk } from '../../walks/use-walks.ts';

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

/** Turns location sharing on and off, and shows whether warnings work now, and if not, why. */
export function LocationToggle() {
  const { card } = useCard();
  const { isSharing: sharing, saveSharing } = useSharing();
  const { settings } = useSettings();
  const units = useUnits();
  const proximity = useProximity();
  const labelId = useId();
  const endWalk = useEndWalk();
  if (!card) return null;
  // A new tab hasn't received the leading tab's state yet.
  const status = sharing && proximity.status === 'off' ? 'starting' : proximity.status;
  const text = statusText(
    { status: sharing ? status : 'off', problem: proximity.problem },
    units.near(settings.alert_radius_feet),
  );
  const { look, Icon } = lookOf(sharing ? status : 'off');

  return (
    <Card
      title="Location sharing"
      action={
        <Switch
          label="Location sharing"
          describedBy={labelId}
          checked={sharing}
          onChange={(isOn) => (isOn ? saveSharing(true) : void endWalk())}
        />
      }
    >
      <div className="flex flex-col gap-3">
        <div
          id={labelId}
          role="status"
          className={`flex flex-wrap gap-3 rounded-control p-3.5 ${look}`}
        >
          <Icon aria-hidden className="mt-0.5 size-6 shrink-0" />
          <div className="min-w-0 flex-1 basis-32">
            <p className="font-bold">{text.title}</p>
            <p className="text-sm">{text.more}</p>
            {proximity.pausedMs !== null && (
              <p className="mt-1.5 text-sm font-bold">{pauseText(proximity.pausedMs)}</p>
            )}
          </div>
        </div>
        {sharing && status === 'denied' && (
          <Button look="secondary" wide onClick={proximity.retry}>
            Try again
          </Button>
        )}
        {sharing && <PocketModeLink />}
        {sharing && <BlockedWarnings />}
      </div>
    </Card>
  );
}
