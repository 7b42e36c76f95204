import type { Contact } from '#shared/friends/document.ts';
import { DogPicture } from '../dogs/dog-picture.tsx';
import { OwnerPhoto } from '../profile/owner-photo.tsx';
import { useFriendCard } from './use-contacts.ts';

/** So many dogs have room in a row. */
const DOGS_MAX = 4;

/** A person's photo in a list: a friend's from the card on this device, otherwise the first letter of the name. */
export function PersonPhoto({
  person,
  name,
  className = 'size-11 text-lg',
}: {
  person: Contact | undefined;
  name: string;
  className?: string;
}) {
  const card = useFriendCard(person);
  return <OwnerPhoto imageKey={card?.image_key} name={name} className={className} />;
}

/** A friend's dogs in a list; nothing for others, or before the card is on this device. */
export function PersonDogs({ person }: { person: Contact }) {
  const dogs = useFriendCard(person)?.dogs ?? [];
  if (dogs.length === 0) return null;
  return (
    <p className="mt-1.5 flex items-center gap-1.5 text-sm text-soft">
      {dogs.slice(0, DOGS_MAX).map((dog) => (
        <DogPicture key={dog.id} imageKey={dog.image_key} dog={dog} className="size-7" />
      ))}
      <span className="min-w-0 truncate">{dogs.map(({ name }) => name).join(', ')}</span>
    </p>
  );
}
