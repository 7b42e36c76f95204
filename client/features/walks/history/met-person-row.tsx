import { Check } from 'lucide-react';
import { useState } from 'react';
import { formatTime } from '#shared/dates.ts';
import { Button } from '../../../platform/ui/buttons/button.tsx';
import { LeashBadge } from '../../../platform/ui/layout/leash-badge.tsx';
import { Summary } from '../../../platform/ui/layout/summary.tsx';
import { BlockUser } from '../../blocks/block-user.tsx';
import { DogPicture } from '../../card/dog-picture.tsx';
import { ProfileLink } from '../../card/profile-link.tsx';
import { AddFriend } from '../../friends/add-friend.tsx';
import { LookalikeNote } from '../../friends/lookalike-note.tsx';
import { ReportPerson, type ReportedOfProfile } from '../../moderation/report-person.tsx';
import type { MetPerson } from '../walk.ts';

/** Someone whom the owner met: name, dogs and time; as long as it is recent, with what the owner can do. */
export function MetPersonRow({
  person,
  isRecent,
  onCompanion,
}: {
  person: MetPerson;
  /** Whether they met in the last 24 hours. */
  isRecent: boolean;
  onCompanion: (isCompanion: boolean) => void;
}) {
  const { user_id, display_name: name, dogs, at, isCompanion } = person;
  const [reported, setReported] = useState<ReportedOfProfile>(null);
  return (
    <li
      aria-label={name}
      className="flex flex-col gap-1.5 border-t border-line py-3 first:border-0 first:pt-0 last:pb-0"
    >
      <div className="flex items-baseline justify-between gap-3">
        <h3 className="min-w-0 font-bold">
          <ProfileLink
            userId={user_id}
            className="-my-2.5 inline-flex min-h-11 max-w-full min-w-11 items-center py-2.5 underline decoration-line-strong underline-offset-4 hover:decoration-current"
          >
            <span className="line-clamp-3 min-w-0 pb-1 leading-snug break-words">{name}</span>
          </ProfileLink>
          <LookalikeNote userId={user_id} name={name} />
        </h3>
        <p className="text-sm whitespace-nowrap text-soft">{formatTime(at)}</p>
      </div>
      {dogs.length > 0 && (
        <ul className="flex flex-col gap-2">
          {dogs.map((dog, index) => (
            <li key={index} className="flex items-center gap-3">
              <DogPicture imageKey={dog.image_key} dog={dog} className="size-10" />
              <span className="flex min-w-0 flex-1 flex-wrap items-center gap-x-3 gap-y-1">
                <span className="min-w-0 font-bold break-words">{dog.name}</span>
                <LeashBadge type={dog.sound_type} />
              </span>
            </li>
          ))}
        </ul>
      )}
      {/* Both in a row on a phone, without their icons. */}
      <div className="flex flex-wrap items-center gap-2 *:min-h-11! *:px-3! *:py-1.5! max-sm:[&>button>svg]:hidden">
        {isRecent && <AddFriend userId={user_id} name={name} />}
        <Button
          look="secondary"
          aria-pressed={isCompanion}
          className="aria-pressed:border-accent aria-pressed:bg-accent-soft aria-pressed:text-accent"
          onClick={() => onCompanion(!isCompanion)}
          Icon={isCompanion ? Check : undefined}
        >
          We walked together<span className="sr-only"> {name}</span>
        </Button>
      </div>
      {isRecent && (
        <details className="-my-3">
          <Summary className="text-sm text-soft">
            Something wrong?<span className="sr-only"> Report or block {name}</span>
          </Summary>
          <div className="flex flex-wrap justify-between sm:justify-start [&>button]:px-1 sm:gap-x-4">
            <ReportPerson
              person={{ user_id, name }}
              reported={reported}
              dogName=""
              onChange={setReported}
            />
            <BlockUser person={{ user_id, name }} onDone={() => {}} />
          </div>
        </details>
      )}
    </li>
  );
}
