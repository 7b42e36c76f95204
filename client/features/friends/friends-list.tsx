import { MessageCircle, UserRoundMinus } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import type { Contact } from '#shared/friends/document.ts';
import { chatPath } from './chat-path.ts';
import { ActionsMenu } from '../../platform/ui/buttons/actions-menu.tsx';
import { ButtonLink } from '../../platform/ui/buttons/button.tsx';
import { EmptyState } from '../../platform/ui/feedback/empty-state.tsx';
import { IconLink } from '../../platform/ui/buttons/icon-link.tsx';
import { ConfirmDialog } from '../../platform/ui/dialogs/confirm-dialog.tsx';
import { DISPLAY_NAME_MAX } from '#shared/profile/rules.ts';
import { searchText } from '#shared/normalization/search-text.ts';
import { SearchField } from '../../platform/ui/inputs/search-field.tsx';
import { PersonRow } from './person-row.tsx';
import { byNameNow, type OwnContacts } from './optimistic-contacts.ts';
import { useContactActions, useFriendNames } from './use-contacts.ts';

function FriendRow({
  friend,
  isWaiting,
  onRemove,
}: {
  friend: Contact;
  isWaiting: boolean;
  onRemove: () => void;
}) {
  return (
    <PersonRow person={friend} since={null} isWaiting={isWaiting}>
      <IconLink
        Icon={MessageCircle}
        label={`Message ${friend.name}`}
        to={chatPath(friend.user_id)}
      />
      <ActionsMenu
        label={`More about ${friend.name}`}
        actions={[{ name: 'Remove Friend', Icon: UserRoundMinus, onSelect: onRemove }]}
      />
    </PersonRow>
  );
}

/** From so many friends on, the list can be searched. */
const SEARCHED_FROM = 8;

/** The owner's friends. @param ways to find others, shown above */
export function FriendsList({ contacts, ways }: { contacts: OwnContacts; ways: ReactNode }) {
  const { removeFriend } = useContactActions();
  const friends = byNameNow(contacts.friends, useFriendNames());
  const [text, setText] = useState('');
  const found = friends.filter(({ name }) => searchText(name).includes(searchText(text.trim())));
  const [asked, setAsked] = useState<Contact | null>(null);
  return (
    <>
      <div className="mb-4">{ways}</div>
      {friends.length === 0 && (
        <EmptyState
          illustration="friends"
          action={
            <div className="flex flex-wrap justify-center gap-3">
              <ButtonLink look="secondary" to="/social?tab=search">
                Search with a code
              </ButtonLink>
              <ButtonLink look="secondary" to="/social?tab=invitations">
                Invite someone
              </ButtonLink>
            </div>
          }
        >
          No friends yet. Send a request from the profile of someone nearby, scan their QR code, or
          search with a code another member made for you.
        </EmptyState>
      )}
      {friends.length >= SEARCHED_FROM && (
        <SearchField
          label="Search your friends"
          value={text}
          onChange={setText}
          max={DISPLAY_NAME_MAX}
          className="mb-3"
        />
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
        isDestructive
        onYes={() => {
          if (asked) void removeFriend(asked);
        }}
        onClose={() => setAsked(null)}
      />
    </>
  );
}
