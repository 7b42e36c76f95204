import { ArrowDownUp, CalendarPlus, MessageCircle, UserRoundMinus } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import type { Contact } from '#shared/friends/document.ts';
import { searchText } from '#shared/normalization/search-text.ts';
import { planWalkWith } from '#shared/planned-walks/rules.ts';
import { DISPLAY_NAME_MAX } from '#shared/profile/rules.ts';
import { EmptyState } from '../../platform/illustrations/empty-state.tsx';
import { ActionsMenu } from '../../platform/ui/buttons/actions-menu.tsx';
import { Button, ButtonLink } from '../../platform/ui/buttons/button.tsx';
import { IconLink } from '../../platform/ui/buttons/icon-link.tsx';
import { ConfirmDialog } from '../../platform/ui/dialogs/confirm-dialog.tsx';
import { SearchField } from '../../platform/ui/inputs/search-field.tsx';
import { personPath } from '../card/profile-link.tsx';
import { chatPath } from './chat-path.ts';
import { LookalikeNote } from './lookalike-note.tsx';
import { byNameNow, type OwnContacts } from './optimistic-contacts.ts';
import { DogNames, PersonAndDog } from './person-photo.tsx';
import { useContactActions, useFriendNames } from './use-contacts.ts';

/** What was last written with a friend. */
export interface LastWords {
  text: string;
  /** ISO 8601. */
  at: string;
  unread: number;
}

function FriendRow({
  friend,
  words,
  isWaiting,
  onRemove,
}: {
  friend: Contact;
  words: LastWords | undefined;
  isWaiting: boolean;
  onRemove: () => void;
}) {
  const navigate = useNavigate();
  return (
    <li className="flex min-h-18 items-center gap-3 py-1">
      <PersonAndDog person={friend} name={friend.name} />
      <div className="min-w-0 flex-1">
        <Link
          to={personPath(friend.user_id)}
          className="-my-2.5 block max-w-full py-2.5 font-bold underline decoration-line-strong underline-offset-4 hover:decoration-current"
        >
          <span className="line-clamp-3 min-w-0 break-words">{friend.name}</span>
        </Link>
        <LookalikeNote userId={friend.user_id} name={friend.name} />
        <p className={`truncate text-sm ${words?.unread ? 'font-bold' : 'text-soft'}`}>
          {isWaiting && <span>{'Not sent yet · '}</span>}
          {words ? <span>{words.text}</span> : <DogNames person={friend} />}
        </p>
      </div>
      <div className="flex shrink-0 items-center">
        <IconLink
          Icon={MessageCircle}
          label={`Message ${friend.name}`}
          to={chatPath(friend.user_id)}
        />
        <ActionsMenu
          label={`More about ${friend.name}`}
          actions={[
            {
              name: 'Plan a walk',
              Icon: CalendarPlus,
              onSelect: () => void navigate(planWalkWith(friend.user_id)),
            },
            { name: 'Remove Friend', Icon: UserRoundMinus, onSelect: onRemove },
          ]}
        />
      </div>
    </li>
  );
}

/** From so many friends on, the list can be searched and sorted. */
const SEARCHED_FROM = 8;

/** The owner's friends. */
export function FriendsList({
  contacts,
  ways,
  lastWords,
}: {
  contacts: OwnContacts;
  /** To find others, shown above. */
  ways: ReactNode;
  /** By the friend's id. */
  lastWords: ReadonlyMap<string, LastWords>;
}) {
  const { removeFriend } = useContactActions();
  const friends = byNameNow(contacts.friends, useFriendNames());
  const [text, setText] = useState('');
  const [isByTime, setByTime] = useState(false);
  const timeOf = ({ user_id, at }: Contact) => Date.parse(lastWords.get(user_id)?.at ?? at);
  const named = friends.filter(({ name }) => searchText(name).includes(searchText(text.trim())));
  const found = isByTime ? named.toSorted((a, b) => timeOf(b) - timeOf(a)) : named;
  const [asked, setAsked] = useState<Contact | null>(null);
  return (
    <>
      <div className="mb-4">{ways}</div>
      {friends.length === 0 && (
        <EmptyState
          illustration="friends"
          action={
            <ButtonLink look="secondary" to="/social?tab=search">
              More ways to add a friend
            </ButtonLink>
          }
        >
          No friends yet. Send a request from the profile of someone nearby, or scan their QR code.
        </EmptyState>
      )}
      {friends.length >= SEARCHED_FROM && (
        <SearchField
          label="Search your friends"
          value={text}
          onChange={setText}
          max={DISPLAY_NAME_MAX}
          className="mb-1"
        />
      )}
      {friends.length >= SEARCHED_FROM && (
        <Button
          look="quiet"
          Icon={ArrowDownUp}
          className="mb-1 -ml-5"
          onClick={() => setByTime(!isByTime)}
        >
          {isByTime ? 'Sorted by last message' : 'Sorted by name'}
        </Button>
      )}
      {friends.length > 0 && found.length === 0 && (
        <p role="status" className="text-soft">
          No friend has that name.
        </p>
      )}
      <ul className="divide-y divide-line empty:hidden">
        {found.map((friend) => (
          <FriendRow
            key={friend.user_id}
            friend={friend}
            words={lastWords.get(friend.user_id)}
            isWaiting={contacts.waiting.has(friend.user_id)}
            onRemove={() => setAsked(friend)}
          />
        ))}
      </ul>
      <ConfirmDialog
        open={asked !== null}
        title="Are you sure you want to remove this friend?"
        description={`${asked?.name ?? ''} won’t be notified, and will no longer see your profile offline.`}
        yes="Remove"
        onYes={() => {
          if (asked) void removeFriend(asked);
        }}
        onClose={() => setAsked(null)}
      />
    </>
  );
}
