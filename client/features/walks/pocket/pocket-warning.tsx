import { capitalized } from '#shared/capitalized.ts';
import { DogPicture } from '../../card/dog-picture.tsx';
import { PHRASES } from '../../proximity/alerts/phrases.tsx';
import type { ShownAlert } from '../../proximity/alerts/shown-alert.ts';
import { lookOf } from '../../proximity/components/alert-look.ts';
import { ShownDistance } from '../../proximity/components/shown-distance.tsx';
import { useLastSeen } from '../../proximity/use-last-seen.ts';

/** More pictures don't fit next to each other on a narrow phone. */
const PICTURES_MAX = 3;

export function colorOf({ isUrgent, dogs }: ShownAlert): string {
  if (dogs.length === 0) return 'text-soft';
  return isUrgent ? 'text-leash-on' : 'text-leash-off';
}

/** Readable at arm's length in sunlight: which dogs, how far, what to do. */
export function PocketWarning({ alert }: { alert: ShownAlert }) {
  const { Icon } = lookOf(alert);
  const when = useLastSeen(alert) ?? alert.course;
  // Someone anonymous has no picture.
  const dogs = alert.display_name === '' ? [] : alert.dogs;
  const isOne = dogs.length === 1;
  return (
    <div className={`flex flex-col gap-3 ${colorOf(alert)}`}>
      <div className={`flex gap-x-4 gap-y-2 ${isOne ? 'items-center' : 'flex-col'}`}>
        <div className="flex gap-2">
          {dogs.slice(0, PICTURES_MAX).map((dog, index) => (
            <DogPicture
              key={index}
              imageKey={dog.image_key}
              dog={dog}
              className={isOne ? 'size-20 sm:size-28' : 'size-20'}
            />
          ))}
        </div>
        <p className="min-w-0 text-4xl leading-tight font-bold break-words">
          <span className="line-clamp-2">{alert.names}</span> {alert.verdict}
        </p>
      </div>
      <p className="flex items-center gap-3 text-6xl font-bold tabular-nums">
        <Icon aria-hidden className="size-14 shrink-0" />
        <ShownDistance feet={alert.distance_feet} />
      </p>
      <div className="flex flex-col gap-1 text-2xl leading-tight font-bold text-ink">
        {when !== '' && <p>{capitalized(when)}</p>}
        {alert.answers.theirs !== null && (
          <p>
            <span>{alert.display_name}</span>
            <span>{`: “${PHRASES[alert.answers.theirs].text}”`}</span>
          </p>
        )}
        {alert.notes !== '' && <p>{alert.notes}</p>}
        <p>{alert.answeredAdvice ?? alert.advice}</p>
      </div>
    </div>
  );
}
