import { Link } from 'react-router-dom';
import { personPath } from '../card/profile-link.tsx';
import { LookalikeNote } from '../friends/lookalike-note.tsx';
import { PersonPhoto } from '../friends/person-photo.tsx';
import { useContacts, useFriendNames } from '../friends/use-contacts.ts';

/** The mutual friends by name, from the cards on this device. */
export function MutualFriends({ ids }: { ids: readonly string[] }) {
  const { contacts } = useContacts();
  const names = useFriendNames();
  const mutual = contacts.friends.filter(({ user_id }) => ids.includes(user_id));
  if (mutual.length === 0) return null;
  return (
    <section aria-label="Mutual friends" className="border-t border-line pt-5">
      <h3 className="mb-2 font-bold">Mutual friends</h3>
      <ul className="flex flex-wrap gap-x-4">
        {mutual.map((friend) => {
          const name = names.get(friend.user_id) ?? friend.name;
          return (
            <li key={friend.user_id} className="min-w-0">
              <Link
                to={personPath(friend.user_id)}
                className="flex min-h-11 items-center gap-2 underline decoration-line-strong underline-offset-4 hover:decoration-current"
              >
                <PersonPhoto person={friend} name={name} className="size-8 text-sm" />
                <span className="min-w-0 break-words">
                  {name}
                  <LookalikeNote userId={friend.user_id} name={name} />
                </span>
              </Link>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
