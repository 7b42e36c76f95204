import { ChevronRight } from 'lucide-react';
import { useEffect } from 'react';
import { Link } from 'react-router-dom';
import type { Dog } from '#shared/dogs/contract.ts';
import { stars } from '#shared/friendly-index/rules.ts';
import { TierMark } from './tier-mark.tsx';
import { useOwnerIndex } from './use-index.ts';

const scoreOf = (index: ReturnType<typeof useOwnerIndex>['index'], dog: Dog) =>
  index?.dog_scores.find(({ dog_id }) => dog_id === dog.id)?.overall_score;

/** The tier of somebody else's dog; nothing for a newcomer, whom it would only make look bad. */
export function DogTier({ dog, userId }: { dog: Dog; userId: string }) {
  const score = scoreOf(useOwnerIndex(userId).index, dog);
  return score !== undefined && stars(score) > 0 ? <TierMark score={score} /> : null;
}

/** Delay before asking again for a new dog, which is in the index once the server has it. */
const AGAIN_MS = 10_000;

/** The tier of the user's own dog once it has a star, with a link to its explanation. */
export function OwnDogTier({ dog, userId }: { dog: Dog; userId: string }) {
  const { index, isFetching, retry } = useOwnerIndex(userId);
  const score = scoreOf(index, dog);
  const isMissing = index !== null && score === undefined;
  useEffect(() => {
    if (!isMissing || isFetching) return undefined;
    const timer = setTimeout(retry, AGAIN_MS);
    return () => clearTimeout(timer);
  }, [isMissing, isFetching, retry]);
  return (
    <span className="-mb-2 flex min-h-11 items-center">
      {score !== undefined && (
        <Link
          to={`?open=index&dog=${encodeURIComponent(dog.id)}`}
          className="inline-flex min-h-11 items-center underline-offset-4 hover:underline"
        >
          {stars(score) > 0 ? (
            <TierMark score={score} />
          ) : (
            <span className="text-sm text-soft">Friendly index</span>
          )}
          <ChevronRight aria-hidden className="size-4 shrink-0 text-soft" />
          <span className="sr-only">: see why {dog.name} has this tier</span>
        </Link>
      )}
    </span>
  );
}
