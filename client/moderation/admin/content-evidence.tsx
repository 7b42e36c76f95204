import type { z } from 'zod';
import { formatDateTime } from '#shared/dates.ts';
import type { getReport } from '#shared/moderation/admin-contract.ts';
import { AdminPicture } from './admin-picture.tsx';

type Answer = z.output<(typeof getReport)['answer']>;

/** The evidence of a report about a person, a picture, a friend request or a flagged account. */
export function ContentEvidence({ evidence, flags }: Pick<Answer, 'evidence' | 'flags'>) {
  const { person, image_key, friend_request } = evidence;
  const reported = person?.dogs.find((dog) => image_key !== null && dog.image_key === image_key);
  return (
    <div className="flex flex-col gap-3 rounded-control bg-sunken p-3">
      {friend_request && (
        <blockquote className="border-l-4 border-line-strong pl-3 break-words whitespace-pre-wrap">
          {friend_request.message ?? 'Friend request without a message'}
        </blockquote>
      )}
      {reported && (
        <figure className="flex flex-col gap-1">
          <AdminPicture id={reported.picture} className="size-40 max-w-full" />
          <figcaption className="break-words">Reported picture of {reported.name}</figcaption>
        </figure>
      )}
      {person && (
        <div>
          <p className="font-bold break-words">{person.display_name}</p>
          <ul className="mt-2 flex flex-col gap-2 empty:hidden">
            {person.dogs.map((dog) => (
              <li key={dog.id} className="flex items-center gap-3">
                {dog.picture !== null && dog !== reported && (
                  <AdminPicture id={dog.picture} className="size-20" />
                )}
                <span className="min-w-0 break-words">{dog.name}</span>
              </li>
            ))}
          </ul>
        </div>
      )}
      {flags.length > 0 && (
        <ol aria-label="Flags" className="flex flex-col gap-2">
          {flags.map(({ at, details }, i) => (
            <li key={i} className="break-words">
              {details} <span className="text-sm text-soft">{formatDateTime(at)}</span>
            </li>
          ))}
        </ol>
      )}
    </div>
  );
}
