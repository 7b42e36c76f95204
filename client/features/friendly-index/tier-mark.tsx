import { Star } from 'lucide-react';
import { stars, STARS_MAX, tierName, tierOf } from '#shared/friendly-index/rules.ts';
import { TIER_WORDS } from './labels.ts';

/** A score as stars. */
export function Stars({ score, className }: { score: number; className: string }) {
  const count = stars(score);
  return (
    <span
      role="img"
      aria-label={`${count} of ${STARS_MAX} stars`}
      className="inline-flex shrink-0 gap-0.5 text-accent"
    >
      {Array.from({ length: STARS_MAX }, (_, i) => (
        <Star key={i} aria-hidden className={`${className} ${i < count ? 'fill-current' : ''}`} />
      ))}
    </span>
  );
}

/** A dog's score with its tier. */
export function TierMark({ score }: { score: number }) {
  return (
    <span className="inline-flex flex-wrap items-center gap-x-2 text-sm font-bold">
      <Stars score={score} className="size-3.5" />
      <span className="tabular-nums">
        {score} <span className="font-normal text-soft">of 100</span>
      </span>
      <span>
        {tierName(score, 'dog')}{' '}
        <span className="font-normal text-soft">({TIER_WORDS[tierOf(score)]})</span>
      </span>
    </span>
  );
}

/** A dog's score with the name of its tier, in one short line and in the color around it. */
export function ShortTierMark({ score }: { score: number }) {
  return (
    <span className="inline-flex max-w-full items-center gap-1.5">
      <Star aria-hidden className="size-3.5 shrink-0 fill-current" />
      <span className="tabular-nums">
        {score}
        <span className="sr-only"> of 100</span>
      </span>{' '}
      <span className="min-w-0 break-words">{tierName(score, 'dog')}</span>
    </span>
  );
}
