import { Star } from 'lucide-react';
import { stars, STARS_MAX, tierName } from '#shared/friendly-index/rules.ts';

/** The stars of a score that were earned; nothing before the first, so that no newcomer is shown as a bad one. */
export function Stars({ score, className }: { score: number; className: string }) {
  const count = stars(score);
  if (count === 0) return null;
  return (
    <span
      role="img"
      aria-label={`${count} of ${STARS_MAX} stars`}
      className="inline-flex shrink-0 gap-0.5 text-accent"
    >
      {Array.from({ length: count }, (_, i) => (
        <Star key={i} aria-hidden className={`${className} fill-current`} />
      ))}
    </span>
  );
}

/** A dog's tier with its stars. */
export function TierMark({ score }: { score: number }) {
  return (
    <span className="inline-flex flex-wrap items-center gap-x-2 text-sm font-bold">
      <span>{tierName(score, 'dog')}</span>
      <Stars score={score} className="size-3.5" />
    </span>
  );
}
