import { useId } from 'react';
import { PARTICIPANTS_MAX } from '#shared/planned-walks/rules.ts';
import { useUnavailableText } from '../../platform/sync/status/use-unavailable-text.ts';
import { ButtonLink } from '../../platform/ui/buttons/button.tsx';
import { Skeleton } from '../../platform/ui/feedback/skeleton.tsx';
import { FieldError } from '../../platform/ui/inputs/field-error.tsx';
import { LookalikeNote } from '../friends/lookalike-note.tsx';
import { byNameNow } from '../friends/optimistic-contacts.ts';
import { PersonPhoto } from '../friends/person-photo.tsx';
import { useContacts, useFriendNames } from '../friends/use-contacts.ts';

/** Chooses friends. */
export function FriendsField({
  chosen,
  error,
  onChange,
}: {
  /** Ids of users. */
  chosen: readonly string[];
  error: string | undefined;
  onChange: (chosen: string[]) => void;
}) {
  const id = useId();
  const { status, contacts } = useContacts();
  const unavailable = useUnavailableText('your friends');
  const friends = byNameNow(contacts.friends, useFriendNames());
  const toggle = (userId: string, isChosen: boolean) =>
    onChange(isChosen ? [...chosen, userId] : chosen.filter((each) => each !== userId));
  return (
    <fieldset className="flex flex-col gap-1.5">
      <legend className="mb-1.5 font-bold">Who’s coming?</legend>
      {status === 'loading' && <Skeleton label="Loading friends…" lines={2} />}
      {status === 'unavailable' && <p className="text-soft">{unavailable}</p>}
      {status === 'ready' && friends.length === 0 && (
        <div className="flex flex-col items-start gap-3">
          <p className="text-soft">You can invite friends, and you have none here yet.</p>
          <ButtonLink look="secondary" to="/social">
            Find friends
          </ButtonLink>
        </div>
      )}
      <ul className="flex max-h-72 flex-col overflow-y-auto rounded-control border border-line px-3 empty:hidden">
        {friends.map((friend) => {
          const isChosen = chosen.includes(friend.user_id);
          return (
            <li key={friend.user_id}>
              <label className="flex min-h-12 cursor-pointer items-center gap-3 py-1.5">
                <input
                  type="checkbox"
                  checked={isChosen}
                  disabled={!isChosen && chosen.length >= PARTICIPANTS_MAX}
                  aria-invalid={error !== undefined}
                  aria-describedby={`${id}-error`}
                  onChange={({ target }) => toggle(friend.user_id, target.checked)}
                  className="size-5 shrink-0 accent-accent"
                />
                <PersonPhoto person={friend} name={friend.name} className="size-9 text-base" />
                <span className="min-w-0 break-words">
                  {friend.name}
                  <LookalikeNote userId={friend.user_id} name={friend.name} />
                </span>
              </label>
            </li>
          );
        })}
      </ul>
      {chosen.length >= PARTICIPANTS_MAX && (
        <p className="text-sm text-soft">You can invite {PARTICIPANTS_MAX} friends at most.</p>
      )}
      <FieldError id={`${id}-error`}>{error}</FieldError>
    </fieldset>
  );
}
