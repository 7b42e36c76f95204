import { CircleCheck, Ear, Play, RotateCcw } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { z } from 'zod';
import type { SoundType } from '#shared/dogs/contract.ts';
import { PLATFORM } from '../../../platform/install/install-event.ts';
import type { Platform } from '../../../platform/install/platform.ts';
import { readCache, writeCache } from '../../../platform/local-cache.ts';
import { useUser } from '../../../platform/session/use-auth.tsx';
import { Button } from '../../../platform/ui/buttons/button.tsx';
import { LEASH } from '../../../platform/ui/layout/leash-badge.tsx';
import { useSettings } from '../../settings/use-settings.ts';
import { useSoundLibrary } from '../../sounds/use-sounds.ts';
import type { AlertController } from '../alerts/alert-controller.ts';
import { testAlert } from '../alerts/run-test-alert.ts';
import type { ShownAlert } from '../alerts/shown-alert.ts';
import { soundOf } from '../alerts/verdict.ts';
import { AlertCard } from './alert-card.tsx';
import { AlertLine } from './alert-line.tsx';

const NAME = 'practice-alert';
const BOTH: readonly SoundType[] = ['leash_on', 'leash_off'];

/** What usually keeps a device silent although its browser plays. */
const QUIET_DEVICE: Record<Platform, string> = {
  ios: 'Turn up the volume with the buttons on the side, and turn off silent mode.',
  android: 'Press volume up, then raise Media in the menu that opens.',
  desktop: 'Turn up the volume, and check that this tab isn’t muted.',
};

/** What came out of the device, as far as the browser knows. */
interface Played {
  sound: boolean;
  voice: boolean;
}

/** `heard` until the screen is left, `over` from then on. */
export type Practice = 'due' | 'heard' | 'over';

/** Whether this device's owner has yet to hear what a warning sounds like on it. */
export function usePractice(): [practice: Practice, end: (as: 'heard' | 'over') => void] {
  const userId = useUser()?.id ?? '';
  const [practice, setPractice] = useState<Practice>(() =>
    readCache(z.boolean(), userId, NAME) === null ? 'due' : 'over',
  );
  return [
    practice,
    (as) => {
      writeCache(userId, NAME, true);
      setPractice(as);
    },
  ];
}

/** Says that the warnings work here, where they were practiced. */
export function PracticeDone() {
  return (
    <p role="status" className="flex items-center gap-2.5 px-1 font-bold">
      <CircleCheck aria-hidden className="size-5 shrink-0 text-accent" />
      You’re set. That’s how warnings sound.
    </p>
  );
}

/** Lets an owner hear both warnings on this device before they need one, and says what to do if they heard nothing. */
export function PracticeAlert({
  isFirst,
  onEnd,
}: {
  /** Whether it is what the screen is about. */
  isFirst: boolean;
  onEnd: (as: 'heard' | 'over') => void;
}) {
  const { settings } = useSettings();
  const sounds = useSoundLibrary();
  const [alert, setAlert] = useState<ShownAlert | null>(null);
  const [heard, setHeard] = useState<readonly ShownAlert[]>([]);
  const [state, setState] = useState<'new' | 'playing' | 'asking' | 'unheard'>('new');
  const [played, setPlayed] = useState<Played>({ sound: true, voice: true });
  const running = useRef<AlertController | null>(null);
  const isShown = useRef(true);
  useEffect(() => {
    isShown.current = true;
    return () => {
      isShown.current = false;
      running.current?.close();
    };
  }, []);

  const playOne = (type: SoundType): Promise<Played> =>
    new Promise((resolve) => {
      const heard: Partial<Played> = {};
      running.current?.close();
      running.current = testAlert({
        type,
        settings,
        ownSound: (which) => sounds?.bytesOf(which) ?? null,
        own: () => ({ wary: [], notes: [], leashPlace: null }),
        onPlayed: (output, isPlayed) => {
          heard[output] = isPlayed;
          const { sound, voice } = heard;
          if (sound !== undefined && voice !== undefined) resolve({ sound, voice });
        },
        onChange: ([shown]) => {
          if (!shown) return setAlert(null);
          setAlert(shown);
          setHeard((before) => [...before.filter(({ names }) => names !== shown.names), shown]);
        },
      });
    });

  async function play() {
    setState('playing');
    const all: Played = { sound: true, voice: true };
    for (const type of BOTH) {
      const one = await playOne(type);
      if (!isShown.current) return;
      all.sound &&= one.sound;
      all.voice &&= one.voice;
    }
    setPlayed(all);
    setState('asking');
  }

  const isOver = state === 'asking' || state === 'unheard';
  return (
    <section
      aria-labelledby="practice"
      className="flex flex-col gap-3 rounded-card border border-line bg-surface p-3 shadow-lift sm:p-4"
    >
      <div>
        <h2 id="practice" className="text-lg font-bold">
          {isOver ? 'Did you hear both?' : 'Hear a warning before you need one'}
        </h2>
        <p className="text-sm text-soft">
          {isOver
            ? 'A deep bark for a dog that needs space, a light one for a friendly dog, and a voice.'
            : 'First a dog that needs space, then a friendly one. Nothing is shared.'}
        </p>
      </div>
      {isOver &&
        heard.map((each) => (
          <AlertLine
            key={each.names}
            alert={each}
            className={`gap-2.5 rounded-control px-4 py-2.5 text-lg ${LEASH[soundOf(each)].strong}`}
          />
        ))}
      {alert && !isOver && (
        <div className="overflow-hidden rounded-control">
          <AlertCard alert={alert} isTest />
        </div>
      )}
      {state === 'unheard' && (
        <ul className="flex list-disc flex-col gap-1 pl-5">
          {(settings.volume === 0 || !settings.sounds) && (
            <li>Alert sounds are off in your settings.</li>
          )}
          {!settings.speech && <li>The voice is off in your settings.</li>}
          {!played.sound && settings.sounds && (
            <li>Your browser held back the sound. Play it again.</li>
          )}
          {!played.voice && settings.speech && (
            <li>This browser has no voice. You’ll still get the barks and the screen.</li>
          )}
          <li>{QUIET_DEVICE[PLATFORM]}</li>
          <li>If headphones or a speaker are connected, it plays there.</li>
        </ul>
      )}
      <div className="flex flex-wrap gap-2">
        {!isOver && (
          <Button
            look={isFirst ? 'primary' : 'secondary'}
            className="flex-1 px-2!"
            pending={state === 'playing' && 'Playing…'}
            Icon={Play}
            onClick={() => void play()}
          >
            Play both warnings
          </Button>
        )}
        {isOver && (
          <Button
            look={isFirst ? 'primary' : 'secondary'}
            className="flex-1 px-3! whitespace-nowrap"
            Icon={Ear}
            onClick={() => onEnd('heard')}
          >
            I heard it
          </Button>
        )}
        {state === 'asking' && (
          <Button look="secondary" className="flex-1 px-3!" onClick={() => setState('unheard')}>
            I didn’t
          </Button>
        )}
        {state === 'unheard' && (
          <Button look="secondary" className="flex-1" Icon={RotateCcw} onClick={() => void play()}>
            Play again
          </Button>
        )}
        {state === 'new' && (
          <Button look="quiet" className="px-3!" onClick={() => onEnd('over')}>
            Not now
          </Button>
        )}
      </div>
    </section>
  );
}
