import { BellRing, Smartphone, VolumeX, Volume2 } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useSettings } from '../../settings/use-settings.ts';
import { Button } from '../../ui/button.tsx';
import { playSoundType } from '../output/audio.ts';
import { useAudioAvailability, useNotifications, useProximity } from '../use-proximity.ts';

function Hint({
  icon,
  action,
  children,
}: {
  icon: ReactNode;
  action?: ReactNode;
  children: ReactNode;
}) {
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2 px-1 py-3 first:pt-1 last:pb-0">
      {icon}
      <p className="min-w-0 flex-1 text-sm">{children}</p>
      {action}
    </li>
  );
}

const icon = 'size-5 shrink-0';

/** Lists what prevents warnings from being heard or seen on this device, and how to fix it. */
export function BlockedWarnings() {
  const { leads, screen } = useProximity();
  const { audio, speech } = useAudioAvailability();
  const { state: notifications, ask } = useNotifications();

  if (leads === false)
    return (
      <p className="text-sm text-soft">
        Another of your tabs speaks the warnings; this one shows them.
      </p>
    );
  return (
    <ul className="flex flex-col divide-y divide-line empty:hidden">
      <BlockedSound />
      {(audio === 'missing' || speech === 'missing') && (
        <Hint icon={<VolumeX aria-hidden className={icon} />}>
          {audio === 'missing' ? 'This browser can’t play alert sounds.' : ''}{' '}
          {speech === 'missing' ? 'This browser can’t speak, so warnings won’t be read aloud.' : ''}{' '}
          Keep the screen in view.
        </Hint>
      )}
      {notifications === 'default' && (
        <Hint
          icon={<BellRing aria-hidden className={icon} />}
          action={
            <Button look="secondary" onClick={() => void ask()} aria-label="Allow notifications">
              Allow
            </Button>
          }
        >
          Notifications reach you in other apps too. Your browser will ask.
        </Hint>
      )}
      {notifications === 'denied' && (
        <Hint icon={<BellRing aria-hidden className={icon} />}>
          Notifications are blocked in your browser’s settings, so warnings show on this page only.
        </Hint>
      )}
      {screen !== null && screen !== 'active' && (
        <Hint icon={<Smartphone aria-hidden className={icon} />}>
          Keep your screen on. When it turns off, your phone stops sharing its position and you
          won’t get warnings.
        </Hint>
      )}
    </ul>
  );
}

/**
 * Once shown, the hint stays and says that sound is on: any tap unblocks sound, and the content below must not move under
 * the finger. Both texts reserve their space from the start.
 */
function BlockedSound() {
  const { audio, speech, turnSoundOn } = useAudioAvailability();
  const { volume } = useSettings().settings;
  const isBlocked = audio === 'blocked' || speech === 'blocked';
  const [wasBlocked, setWasBlocked] = useState(isBlocked);
  if (isBlocked && !wasBlocked) setWasBlocked(true);
  if (!wasBlocked) return null;
  const Icon = isBlocked ? VolumeX : Volume2;
  return (
    <Hint
      icon={<Icon aria-hidden className={icon} />}
      action={
        <Button
          wide
          look={isBlocked ? undefined : 'secondary'}
          onClick={() => void (isBlocked ? turnSoundOn() : playSoundType('leash_on', volume))}
          Icon={Volume2}
        >
          {isBlocked ? 'Turn sound on' : 'Hear a warning'}
        </Button>
      }
    >
      <span role="status" className="grid items-center *:col-start-1 *:row-start-1">
        <span className={isBlocked ? '' : 'invisible'}>
          <strong>Sound is blocked.</strong> Your browser keeps this page silent until you tap.
          You’d still see and feel a warning.
        </span>
        <span className={isBlocked ? 'invisible' : ''}>
          <strong>Sound is on.</strong> You’ll hear warnings while this page is open.
        </span>
      </span>
    </Hint>
  );
}
