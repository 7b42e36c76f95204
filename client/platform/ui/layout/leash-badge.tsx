import { OctagonAlert, PawPrint } from 'lucide-react';
import type { SoundType } from '#shared/dogs/contract.ts';

/** Labels, icons and colors of the leash types; a color is never used without its icon and label. */
export const LEASH = {
  leash_on: {
    word: 'Needs space',
    leash: 'Leash on',
    Icon: OctagonAlert,
    soft: 'bg-leash-on-soft text-leash-on',
    strong: 'bg-leash-on-strong text-on-leash-on',
  },
  leash_off: {
    word: 'Friendly',
    leash: 'Leash off',
    Icon: PawPrint,
    soft: 'bg-leash-off-soft text-leash-off',
    strong: 'bg-leash-off text-on-leash-off',
  },
} as const satisfies Record<SoundType, object>;

/** A dog's leash type as icon and word; `isStrong` where it must be noticed at a glance. */
export function LeashBadge({ type, isStrong = false }: { type: SoundType; isStrong?: boolean }) {
  const { Icon, word, soft, strong } = LEASH[type];
  return (
    <span
      className={`inline-flex items-center gap-1.5 rounded-full px-2.5 py-1 text-sm font-bold sm:whitespace-nowrap ${isStrong ? strong : soft}`}
    >
      <Icon aria-hidden className="size-4 shrink-0" />
      {word}
    </span>
  );
}
