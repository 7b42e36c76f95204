import { Volume2 } from 'lucide-react';
import { useState } from 'react';
import type { SoundType } from '#shared/dogs/contract.ts';
import { Button } from '../../platform/ui/buttons/button.tsx';
import { LEASH } from '../../platform/ui/layout/leash-badge.tsx';

const TYPES = ['leash_on', 'leash_off'] as const;

/** Loaded when somebody is about to press: few visitors do, and Safari plays only what starts within a press. */
const audio = () => import('../../features/sounds/audio.ts');
const load = () => void audio().catch(() => {});

const SAID = {
  leash_on:
    'A deep, assertive bark. This dog must be leashed and kept apart: shorten the leash, make room.',
  leash_off:
    'A friendly bark. This dog is glad to meet off the leash: carry on, say hello if you like.',
} as const;

/** The two leash types with their meanings, and a button that plays both sounds. */
export function TwoTypes() {
  const [playing, setPlaying] = useState<SoundType | null>(null);
  const [isSilent, setSilent] = useState(false);

  async function playBoth() {
    setSilent(false);
    try {
      const { playSoundType } = await audio();
      for (const type of TYPES) {
        setPlaying(type);
        if (!(await playSoundType(type))) return setSilent(true);
      }
    } catch {
      // The sounds didn't load.
      setSilent(true);
    } finally {
      setPlaying(null);
    }
  }

  return (
    <section aria-labelledby="two-types">
      <div className="mb-4 flex flex-wrap items-center justify-between gap-3">
        <h2 id="two-types" className="text-2xl font-bold">
          Two kinds of dog, two sounds
        </h2>
        <Button
          look="secondary"
          Icon={Volume2}
          onPointerEnter={load}
          onPointerDown={load}
          onFocus={load}
          onClick={() => void playBoth()}
          pending={playing !== null && 'Playing…'}
          className="w-full sm:w-auto"
        >
          Play both sounds
        </Button>
      </div>
      <p role="status" className={isSilent ? 'mb-4 font-bold' : 'sr-only'}>
        <span>{isSilent && 'Nothing to hear? Tap again, and check your phone’s volume.'}</span>
        <span>{playing && `Playing: ${LEASH[playing].word}`}</span>
      </p>
      <ul className="grid grid-cols-1 gap-4 sm:grid-cols-2">
        {TYPES.map((type) => {
          const { Icon, word, leash, soft } = LEASH[type];
          return (
            <li
              key={type}
              className={`rounded-card p-5 ${soft} ${playing === type ? 'outline-3 outline-offset-2 outline-current' : ''}`}
            >
              <p className="flex flex-wrap items-center gap-3">
                <Icon aria-hidden className="size-8 shrink-0" />
                <span>
                  <span className="block text-xl font-bold">{word}</span>
                  <span className="block font-bold">{leash}</span>
                </span>
              </p>
              <p className="mt-3 text-ink">{SAID[type]}</p>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
