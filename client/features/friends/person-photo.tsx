import type { Contact } from '#shared/friends/document.ts';
import type { Card } from '#shared/profile/document.ts';
import { MINUTE_MS } from '#shared/time.ts';
import { LeashBadge } from '../../platform/ui/layout/leash-badge.tsx';
import { DogPicture } from '../card/dog-picture.tsx';
import { OwnerPhoto } from '../card/owner-photo.tsx';
import { useUserProfile } from '../card/use-user-profile.ts';
import { useFriendCard } from './use-contacts.ts';

/** So many dogs have room in a row. */
const DOGS_MAX = 4;

type Shown = Pick<Contact, 'user_id' | 'relationship' | 'card'>;

/** Returns the card of a person in a list: a friend's from this device, others' from the server. */
function useShownCard(person: Shown | undefined): Pick<Card, 'image_key' | 'dogs'> | undefined {
  const card = useFriendCard(person);
  const isOther = person !== undefined && !['friends', 'blocked'].includes(person.relationship);
  const { data } = useUserProfile(person?.user_id ?? '', {
    enabled: isOther,
    staleTime: 5 * MINUTE_MS,
  });
  return card ?? (isOther ? data : undefined);
}

/** A person's photo in a list; the first letter of the name for someone without one, and until it is known. */
export function PersonPhoto({
  person,
  name,
  className = 'size-11 text-lg',
}: {
  person: Shown | undefined;
  name: string;
  className?: string;
}) {
  const card = useShownCard(person);
  return <OwnerPhoto imageKey={card?.image_key} name={name} className={className} />;
}

/** A person's photo with their first dog on its corner, once that is known. */
export function PersonAndDog({
  person,
  name,
  className = 'size-12 text-xl',
}: {
  person: Shown | undefined;
  name: string;
  className?: string;
}) {
  const dog = useShownCard(person)?.dogs[0];
  return (
    <span className="relative shrink-0">
      <PersonPhoto person={person} name={name} className={className} />
      {dog && (
        <DogPicture
          imageKey={dog.image_key}
          dog={dog}
          className="absolute -right-1.5 -bottom-1.5 size-6"
        />
      )}
    </span>
  );
}

/** The names of a person's dogs. */
export function DogNames({ person }: { person: Shown | undefined }) {
  return <span>{(useShownCard(person)?.dogs ?? []).map(({ name }) => name).join(', ')}</span>;
}

/** A person's dogs, each with what others must know; nothing until they are known. */
export function PersonDogBadges({ person }: { person: Shown | undefined }) {
  const dogs = useShownCard(person)?.dogs ?? [];
  if (dogs.length === 0) return null;
  return (
    <ul aria-label="Dogs" className="mt-1 flex flex-wrap gap-x-4 gap-y-1">
      {dogs.map((dog) => (
        <li key={dog.id} className="flex min-w-0 items-center gap-2 text-sm">
          <DogPicture imageKey={dog.image_key} dog={dog} className="size-7" />
          <span className="min-w-0 font-bold break-words">{dog.name}</span>
          <LeashBadge type={dog.sound_type} />
        </li>
      ))}
    </ul>
  );
}

/** A person's dogs in a list; nothing until they are known. */
export function PersonDogs({ person }: { person: Shown }) {
  const dogs = useShownCard(person)?.dogs ?? [];
  if (dogs.length === 0) return null;
  return (
    <p className="flex items-center gap-1.5 text-sm text-soft">
      {dogs.slice(0, DOGS_MAX).map((dog) => (
        <DogPicture key={dog.id} imageKey={dog.image_key} dog={dog} className="size-7" />
      ))}
      <span className="line-clamp-2 min-w-0">{dogs.map(({ name }) => name).join(', ')}</span>
    </p>
  );
}
