import { capitalized } from '#shared/capitalized.ts';
import { LEASH } from '../../../platform/ui/layout/leash-badge.tsx';
import { DogPicture } from '../../card/dog-picture.tsx';
import { ProfileLink } from '../../card/profile-link.tsx';
import { LookalikeNote } from '../../friends/lookalike-note.tsx';
import { PHRASES, PhraseIcon } from '../alerts/phrases.tsx';
import type { ShownAlert } from '../alerts/shown-alert.ts';
import { soundOf } from '../alerts/verdict.ts';
import { useLastSeen } from '../use-last-seen.ts';
import { useProximity } from '../use-proximity.ts';
import { ShownDistance } from './shown-distance.tsx';

/**
 * One alert, readable at arm's length in sunlight: which dog, how far, who, what to do.
 * @param isTest whether the person is made up, so that they have no profile
 */
export function AlertCard({ alert, isTest = false }: { alert: ShownAlert; isTest?: boolean }) {
  const { Icon, strong } = LEASH[soundOf(alert)];
  const trend = useProximity().nearby?.find(({ user_id }) => user_id === alert.user_id)?.trend;
  const course = alert.course === '' && trend === 'leaving' ? 'moving away' : alert.course;
  const picture = alert.dogs.find(({ image_key }) => image_key !== null)?.image_key;
  const lastSeen = useLastSeen(alert);
  const when = (!isTest && lastSeen) || course;
  const isOld = !isTest && lastSeen !== null;
  const hasSeveral = alert.dogs.length > 1;
  const { theirs } = alert.answers;
  return (
    <div className={`@container flex flex-col gap-2 p-4 tight:gap-1 tight:p-3 ${strong}`}>
      <div className="flex flex-wrap items-center gap-3">
        <Icon
          aria-hidden
          className="size-12 shrink-0 tight:size-8 @md:size-14"
          strokeWidth={2.25}
        />
        <p
          className={`min-w-0 flex-1 basis-40 leading-[1.1] font-bold ${hasSeveral ? 'text-[1.6rem]' : 'text-[2rem]'} tight:text-xl`}
        >
          <span className="line-clamp-2">{alert.names}</span> {alert.verdict}
        </p>
        {picture && !hasSeveral && (
          <DogPicture
            imageKey={picture}
            className="size-16 rounded-full tight:hidden @md:size-20"
          />
        )}
      </div>
      <p className="flex flex-wrap items-baseline gap-x-3">
        <span
          className={`font-bold whitespace-nowrap tabular-nums tight:text-2xl ${isOld ? 'text-2xl' : 'text-5xl'}`}
        >
          <ShownDistance feet={alert.distance_feet} isOld={isOld} />
        </span>{' '}
        {alert.display_name !== '' && (
          <span className="inline-flex max-w-full min-w-0 gap-x-[0.3em] text-xl font-bold">
            with{' '}
            {isTest ? (
              <span className="min-w-0 truncate">{alert.display_name}</span>
            ) : (
              <ProfileLink
                userId={alert.user_id}
                className="-my-2 min-w-11 truncate py-2 underline decoration-current/50 underline-offset-4"
              >
                {alert.display_name}
              </ProfileLink>
            )}
          </span>
        )}
      </p>
      {when !== '' && <p className="text-xl font-bold tight:text-base">{capitalized(when)}</p>}
      <div aria-live="polite" className="flex flex-col gap-2 empty:hidden tight:gap-1">
        {theirs !== null && alert.silence === null && (
          <p className="flex items-center gap-2.5 rounded-control bg-surface px-3 py-2 text-2xl leading-tight font-bold text-ink">
            <PhraseIcon phrase={theirs} className="size-8" />
            <span className="min-w-0">
              <span className="sr-only">{alert.display_name}: </span>
              <span>“{PHRASES[theirs].text}”</span>
            </span>
          </p>
        )}
        {alert.answeredAdvice !== null && alert.silence === null && (
          <p className="text-xl font-bold text-pretty tight:text-base">{alert.answeredAdvice}</p>
        )}
      </div>
      <LookalikeNote userId={alert.user_id} name={alert.display_name} className="text-xl" />
      {alert.notes !== '' && <p className="text-xl font-bold">{alert.notes}</p>}
      {alert.answeredAdvice === null && (
        <p className="text-xl font-bold text-pretty tight:text-base">{alert.advice}</p>
      )}
      {/* Of dogs of one type, the first line has said it. */}
      {new Set(alert.dogs.map(({ sound_type }) => sound_type)).size > 1 && (
        <ul className="flex flex-wrap gap-x-4 gap-y-1 text-base font-bold">
          {alert.dogs.map((dog, index) => {
            const { Icon: DogIcon, word } = LEASH[dog.sound_type];
            return (
              <li key={index} className="flex items-center gap-1.5">
                <DogIcon aria-hidden className="size-5 shrink-0" />
                {dog.name}: {word.toLowerCase()}
              </li>
            );
          })}
        </ul>
      )}
    </div>
  );
}
