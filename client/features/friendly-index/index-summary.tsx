import {
  nextTier,
  progressPercent,
  stars,
  TIER_STEP,
  tierName,
  tierOf,
} from '#shared/friendly-index/rules.ts';
import { counted, STAR_RULE, TIER_WORDS } from './labels.ts';
import { Stars } from './tier-mark.tsx';

interface Props {
  score: number;
  whose: 'dog' | 'owner';
}

/** The tier of a score, with the stars that were earned. A newcomer has one name, not two. */
export function TierSummary({ score, whose }: Props) {
  return (
    <p className="flex flex-wrap items-center gap-x-2">
      <span className="text-lg leading-snug font-bold">{tierName(score, whose)}</span>
      {stars(score) > 0 && <span className="text-soft">{TIER_WORDS[tierOf(score)]}</span>}
      <Stars score={score} className="size-4.5" />
    </p>
  );
}

/**
 * The user's own score with its tier and the progress to the next one: the bar and the number above it are of the same step.
 * @param isNew whether nobody was met yet: there is no progress to show
 */
export function IndexSummary({ score, whose, isNew = false }: Props & { isNew?: boolean }) {
  const next = nextTier(score);
  const percent = progressPercent(score);
  const missing = next ? next.minimum - score : 0;
  const made = score % TIER_STEP;
  // The last step is shorter than the bar (specification).
  const step = made + missing === TIER_STEP ? `${made} of ${TIER_STEP}` : counted(missing, 'point');
  const toGo = next ? `${step} to ${TIER_WORDS[next.tier]}` : 'You’ve reached the highest tier';
  return (
    <div className="flex flex-col gap-1.5">
      <div className="flex flex-wrap items-baseline justify-between gap-x-3">
        <TierSummary score={score} whose={whose} />
        {!isNew && <span className="font-bold whitespace-nowrap tabular-nums">{toGo}</span>}
      </div>
      {!isNew && (
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
      )}
      <p className="flex flex-wrap gap-x-1 text-sm text-soft">
        <span>It grows with walks, friends and time.</span>
        {stars(score) > 0 && (
          <span>
            {counted(score, 'point')} of 100 in all. {STAR_RULE}
          </span>
        )}
      </p>
    </div>
  );
}
