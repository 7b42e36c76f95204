import { Link } from 'react-router-dom';
import type { OwnerFriendlyIndex } from '#shared/friendly-index/contract.ts';
import { useOwnCard } from '../card/use-card.ts';
import { IndexState } from './index-state.tsx';
import { IndexSummary } from './index-summary.tsx';
import { dogMetrics, dogComponents, ownerMetrics, ownerComponents } from './labels.ts';
import { ScoreComponents } from './score-components.tsx';
import { TierMark } from './tier-mark.tsx';
import { useDogIndex, useOwnerIndex } from './use-index.ts';

function Metrics({ metrics }: { metrics: [name: string, value: string][] }) {
  return (
    <dl className="grid grid-cols-2 gap-3 border-t border-line pt-4">
      {metrics.map(([name, value]) => (
        <div key={name} className="flex min-w-0 flex-col">
          <dt className="text-sm text-soft">{name}</dt>
          <dd className="font-bold tabular-nums">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** The index is cached: a dog that was deleted since is not shown. */
function DogScores({ scores }: { scores: OwnerFriendlyIndex['dog_scores'] }) {
  const card = useOwnCard();
  const dogs = scores.filter(({ dog_id }) => card?.dogs.some(({ id }) => id === dog_id));
  if (dogs.length === 0) return null;
  return (
    <section aria-label="Your dogs" className="border-t border-line pt-2">
      <ul className="divide-y divide-line">
        {dogs.map(({ dog_id, dog_name, overall_score }) => (
          <li key={dog_id}>
            <Link
              to={`?open=index&dog=${encodeURIComponent(dog_id)}`}
              className="flex min-h-12 flex-wrap items-center justify-between gap-x-3 py-1 underline-offset-4 hover:underline"
            >
              <span className="min-w-0 font-bold break-words">{dog_name}</span>
              <TierMark score={overall_score} />
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}

const DELAY = 'Meetings count from the next day.';

function OwnerIndexExplained({ userId }: { userId: string }) {
  return (
    <IndexState query={useOwnerIndex(userId)}>
      {(index) => (
        <div className="flex flex-col gap-5">
          <IndexSummary score={index.overall_score} whose="owner" />
          <ScoreComponents components={ownerComponents(index)} isOwn />
          <p className="text-sm text-soft">{DELAY} It doesn’t matter how many dogs you have.</p>
          <Metrics metrics={ownerMetrics(index)} />
          <DogScores scores={index.dog_scores} />
        </div>
      )}
    </IndexState>
  );
}

function DogIndexExplained({ userId, dogId }: { userId: string; dogId: string }) {
  return (
    <IndexState query={useDogIndex(userId, dogId)}>
      {(index) => (
        <div className="flex flex-col gap-5">
          <IndexSummary score={index.overall_score} whose="dog" />
          <ScoreComponents components={dogComponents(index)} isOwn />
          <p className="text-sm text-soft">
            {DELAY} Your activity counts for each dog from the day you add it.
          </p>
          <Metrics metrics={dogMetrics(index)} />
        </div>
      )}
    </IndexState>
  );
}

/** Explains the user's own score, or with `dogId` their dog's, and how to raise it. */
export function IndexExplained({ userId, dogId }: { userId: string; dogId?: string }) {
  return dogId === undefined ? (
    <OwnerIndexExplained userId={userId} />
  ) : (
    <DogIndexExplained key={dogId} userId={userId} dogId={dogId} />
  );
}
