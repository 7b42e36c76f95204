import { nextTier, progressPercent, tierName, tierOf } from '#shared/friendly-index/rules.ts';
import { Stars } from './tier-mark.tsx';
import { counted, TIER_WORDS } from './labels.ts';

/** A score with its tier and the progress to the next one. */
export function IndexSummary({ score, whose }: { score: number; whose: 'dog' | 'owner' }) {
  const next = nextTier(score);
  const percent = progressPercent(score);
  const toGo = next
    ? `${counted(next.minimum - score, 'point')} to ${TIER_WORDS[next.tier]}`
    : 'You’ve reached the highest tier';
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center justify-between gap-x-4">
        <div className="min-w-0 flex-1 basis-36">
          <p className="text-lg leading-snug font-bold">{tierName(score, whose)}</p>
          <p className="flex flex-wrap items-center gap-x-2 text-soft">
            <Stars score={score} className="size-4.5" />
            {TIER_WORDS[tierOf(score)]}
          </p>
        </div>
        <p className="whitespace-nowrap">
          <span className="text-4xl font-bold tabular-nums">{score}</span>
          <span className="text-soft"> of 100</span>
        </p>
      </div>
      <div className="flex flex-col gap-1.5">
        <div
          role="progressbar"
          aria-label={next ? `Progress to ${TIER_WORDS[next.tier]}` : 'Progress'}
          aria-valuemin={0}
          aria-valuemax={100}
          aria-valuenow={percent}
          aria-valuetext={`${percent} percent, ${toGo}`}
          className="h-2.5 overflow-hidden rounded-full bg-sunken"
        >
          <div className="h-full rounded-full bg-accent" style={{ width: `${percent}%` }} />
        </div>
        <p className="text-sm text-soft">{toGo}</p>
      </div>
    </div>
  );
}
