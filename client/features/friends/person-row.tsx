import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { formatDate } from '#shared/dates.ts';
import type { Contact } from '#shared/friends/document.ts';
import { personPath } from '../card/profile-link.tsx';
import { LookalikeNote } from './lookalike-note.tsx';
import { PersonDogs, PersonPhoto } from './person-photo.tsx';

/** A person in a list, with a date, and actions as children. */
export function PersonRow({
  person,
  since,
  words,
  isWaiting,
  children,
}: {
  person: Contact;
  /** Text before the date, such as 'Asked on'. */
  since: string;
  /** A message from them, or a note about them. */
  words?: string | null;
  /** Whether this device has unsent calls about them. */
  isWaiting: boolean;
  children?: ReactNode;
}) {
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2 py-2 first:pt-0 last:pb-0">
      <PersonPhoto person={person} name={person.name} className="size-12 self-start text-xl" />
      <div className="min-w-0 flex-1 basis-28">
        <Link
          to={personPath(person.user_id)}
          className="-mt-2.5 -mb-1 inline-flex min-h-11 max-w-full min-w-11 items-center py-2.5 font-bold underline decoration-line-strong underline-offset-4 hover:decoration-current"
        >
          <span className="line-clamp-3 min-w-0 break-words">{person.name}</span>
        </Link>
        <LookalikeNote userId={person.user_id} name={person.name} />
        <p className="text-sm text-soft">
          {since} <span className="whitespace-nowrap">{formatDate(person.at)}</span>
          {isWaiting && <span>{' · not sent yet'}</span>}
        </p>
        <PersonDogs person={person} />
        {words && <p className="mt-1.5 break-words">“{words}”</p>}
      </div>
      <div className="flex flex-wrap items-center gap-2 empty:hidden">{children}</div>
    </li>
  );
}
