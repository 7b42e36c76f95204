import { BellRing, Smartphone, VolumeX, Volume2 } from 'lucide-react';
import { useId, useState, type ReactNode } from 'react';
import { HomeScreenSteps } from '../../../platform/install/home-screen-steps.tsx';
import { isInstalled, PLATFORM } from '../../../platform/install/install-event.ts';
import { PRODUCT } from '../../../platform/product.ts';
import { Button } from '../../../platform/ui/buttons/button.tsx';
import { Summary } from '../../../platform/ui/layout/summary.tsx';
import { useSettings } from '../../settings/use-settings.ts';
import { playSoundType } from '../../sounds/audio.ts';
import { useAudioAvailability, useNotifications, useProximity } from '../use-proximity.ts';
import { useWalkStatus } from '../use-walk-status.ts';

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

/** Lists what prevents warnings from being noticed on this device during a walk, and how to fix it. */
export function OutputProblems() {
  const { isWalking } = useWalkStatus();
  const { leads } = useProximity();
  return isWalking && leads !== false && <Problems />;
}

/** A separate component, because reading the permission makes the page wait for the browser's main process. */
function Problems() {
  const titleId = useId();
  const { screen } = useProximity();
  const { audio, speech } = useAudioAvailability();
  const { state: notifications, ask } = useNotifications();
  const hasNoSound = audio === 'missing';
  const hasNoVoice = speech === 'missing';
  const isScreenFree = screen !== null && screen !== 'active';
  const isAsked = notifications === 'default' || notifications === 'denied';
  const needsInstall = notifications === 'missing' && PLATFORM === 'ios' && !isInstalled();
  const names = [
    ...(hasNoSound ? ['no sound'] : []),
    ...(hasNoVoice ? ['no voice'] : []),
    ...(isAsked || needsInstall ? ['no notifications'] : []),
    ...(isScreenFree ? ['keep your screen on'] : []),
  ];
  if (names.length === 0) return null;
  return (
    <section
      aria-labelledby={titleId}
      className="rounded-card border border-line bg-surface px-[min(1rem,4.5vw)] shadow-lift sm:px-5"
    >
      {/* Below what a walk needs at a glance, its line says enough. */}
      <details>
        <Summary chevron="end" className="min-h-14! py-2">
          <span className="min-w-0 flex-1">
            <strong id={titleId} className="block leading-snug">
              Don’t miss a warning
            </strong>
            <span className="block text-sm text-soft first-letter:uppercase">
              {names.join(', ')}
            </span>
          </span>
        </Summary>
        <ul className="flex flex-col divide-y divide-line pb-3">
          {(hasNoSound || hasNoVoice) && (
            <Hint icon={<VolumeX aria-hidden className={icon} />}>
              {hasNoSound ? <span>This browser can’t play alert sounds.</span> : ''}{' '}
              {hasNoVoice ? (
                <span>This browser can’t speak, so warnings won’t be read aloud.</span>
              ) : (
                ''
              )}{' '}
              <span>Keep the screen in view.</span>
            </Hint>
          )}
          {notifications === 'default' && (
            <Hint
              icon={<BellRing aria-hidden className={icon} />}
              action={
                <Button
                  look="secondary"
                  onClick={() => void ask()}
                  aria-label="Allow notifications"
                >
                  Allow
                </Button>
              }
            >
              Notifications reach you in other apps too. Your browser will ask.
            </Hint>
          )}
          {notifications === 'denied' && (
            <Hint icon={<BellRing aria-hidden className={icon} />}>
              Notifications are blocked in your browser’s settings, so warnings show on this page
              only.
            </Hint>
          )}
          {needsInstall && (
            <li className="flex flex-col gap-1 px-1 py-3 text-sm first:pt-1 last:pb-0">
              <p>
                On an iPhone or iPad, notifications need {PRODUCT} on your home screen. Before your
                next walk:
              </p>
              <HomeScreenSteps />
            </li>
          )}
          {isScreenFree && (
            <Hint icon={<Smartphone aria-hidden className={icon} />}>
              Keep your screen on. When it turns off, your phone stops sharing its position and you
              won’t get warnings.
            </Hint>
          )}
        </ul>
      </details>
    </section>
  );
}

/**
 * Once shown, it stays and says that sound is on: any tap unblocks sound, and the content below must not move under
 * the finger. Both texts take one line.
 */
export function BlockedSound() {
  const { leads } = useProximity();
  const { audio, speech, turnSoundOn } = useAudioAvailability();
  const { volume } = useSettings().settings;
  const isBlocked = audio === 'blocked' || speech === 'blocked';
  const [wasBlocked, setWasBlocked] = useState(isBlocked);
  if (isBlocked && !wasBlocked) setWasBlocked(true);
  if (!wasBlocked || leads === false) return null;
  return (
    <Button
      wide
      look={isBlocked ? 'primary' : 'quiet'}
      className={isBlocked ? '' : 'justify-start! px-1! text-sm'}
      onClick={() => void (isBlocked ? turnSoundOn() : playSoundType('leash_on', volume))}
      Icon={isBlocked ? VolumeX : Volume2}
      aria-live="polite"
    >
      {isBlocked ? 'Sound is blocked. Turn on' : 'Sound is on. Hear a warning'}
    </Button>
  );
}
