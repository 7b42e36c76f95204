import { CalendarDays, Flag, MapPin, MapPinOff, UsersRound } from 'lucide-react';
import type { ReactNode } from 'react';
import { formatMonth } from '#shared/dates.ts';
import type { Card } from '#shared/profile/document.ts';
import { LeashBadge } from '../../platform/ui/layout/leash-badge.tsx';
import { DogFacts } from '../card/dog-facts.tsx';
import { DogPicture } from '../card/dog-picture.tsx';
import { OwnerPhoto } from '../card/owner-photo.tsx';
import { DogTier } from '../friendly-index/dog-tier.tsx';
import { LookalikeNote } from '../friends/lookalike-note.tsx';

const monthOf = (date: string): string => (Number.isNaN(Date.parse(date)) ? '' : formatMonth(date));

const icon = 'size-4 shrink-0';

/** A profile: name, member since, dogs; for the user's own, also location sharing. `facts` are shown next to the date. */
export function ProfileDetails({
  card,
  userId,
  isSharing,
  facts,
  onReportPhoto,
}: {
  card: Card;
  userId: string;
  /** Only for the user's own profile. */
  isSharing?: boolean;
  facts?: ReactNode;
  /** Adds a report button to each photo. */
  onReportPhoto?: (imageKey: string) => void;
}) {
  const since = monthOf(card.join_date);
  const SharingIcon = isSharing ? MapPin : MapPinOff;
  return (
    <div className="flex flex-col gap-4">
      <div>
        <div className="flex items-center gap-3">
          <OwnerPhoto
            imageKey={card.image_key}
            name={card.display_name}
            className="size-16 text-2xl"
          />
          <div className="min-w-0">
            <h2 className="text-2xl font-bold tracking-tight break-words">{card.display_name}</h2>
            <LookalikeNote userId={userId} name={card.display_name} />
          </div>
        </div>
        {card.about && <p className="mt-2 break-words">{card.about}</p>}
        <ul className="mt-2 flex flex-wrap gap-x-4 gap-y-1 text-soft [&>li]:flex [&>li]:items-center [&>li]:gap-1.5">
          {since && (
            <li>
              <CalendarDays aria-hidden className={icon} />
              Member since {since}
            </li>
          )}
          {isSharing !== undefined && (
            <li>
              <SharingIcon aria-hidden className={icon} />
              {isSharing ? 'Shares location' : 'Doesn’t share location'}
            </li>
          )}
          {facts}
        </ul>
      </div>
      <section aria-label="Dogs" className="flex flex-col gap-2">
        {card.dogs.length === 0 && <p className="text-soft">No dogs yet.</p>}
        <ul className="flex flex-col gap-2 empty:hidden">
          {card.dogs.map((dog) => (
            <li
              key={dog.id}
              className="flex items-center gap-3 rounded-control border border-line p-2.5"
            >
              <DogPicture imageKey={dog.image_key} dog={dog} className="size-12" />
              <span className="flex min-w-0 flex-1 flex-wrap items-center gap-x-3 gap-y-1">
                <span className="min-w-0 font-bold break-words">{dog.name}</span>
                <LeashBadge type={dog.sound_type} />
                <DogTier dog={dog} userId={userId} />
                <span className="basis-full">
                  <DogFacts dog={dog} />
                </span>
              </span>
              {onReportPhoto && dog.image_key !== null && (
                <button
                  type="button"
                  aria-label={`Report the photo of ${dog.name}`}
                  onClick={() => dog.image_key !== null && onReportPhoto(dog.image_key)}
                  className="-m-1 flex min-h-11 min-w-11 shrink-0 flex-col items-center justify-center gap-0.5 rounded-control p-1 text-sm leading-none text-soft"
                >
                  <Flag aria-hidden className="size-4" />
                  Report
                </button>
              )}
            </li>
          ))}
        </ul>
      </section>
    </div>
  );
}

/** The number of friends, as one of the facts. */
export function FriendsFact({ count, mutual = false }: { count: number; mutual?: boolean }) {
  return (
    <li>
      <UsersRound aria-hidden className={icon} />
      {count} {mutual ? <span>{'mutual '}</span> : ''}
      <span>{count === 1 ? 'friend' : 'friends'}</span>
    </li>
  );
}
