import { useState } from 'react';
import type { Contact } from '#shared/friends/document.ts';
import { EmptyState } from '../../platform/illustrations/empty-state.tsx';
import { Button } from '../../platform/ui/buttons/button.tsx';
import { ConfirmDialog } from '../../platform/ui/dialogs/confirm-dialog.tsx';
import type { OwnContacts } from '../friends/optimistic-contacts.ts';
import { PersonRow } from '../friends/person-row.tsx';
import { useContactActions } from '../friends/use-contacts.ts';

/** The blocked users, each with an unblock button. */
export function BlockedList({ contacts }: { contacts: OwnContacts }) {
  const { unblock } = useContactActions();
  const [asked, setAsked] = useState<Contact | null>(null);
  if (contacts.blocked.length === 0)
    return (
      <EmptyState illustration="calm">
        You haven’t blocked anyone. People you block can’t contact you, and you won’t see each other
        nearby.
      </EmptyState>
    );
  return (
    <>
      <ul className="divide-y divide-line">
        {contacts.blocked.map((person) => (
          <PersonRow
            key={person.user_id}
            person={person}
            since="Blocked since"
            words={person.message}
            isWaiting={contacts.waiting.has(person.user_id)}
          >
            <Button look="secondary" onClick={() => setAsked(person)}>
              Unblock<span className="sr-only"> {person.name}</span>
            </Button>
          </PersonRow>
        ))}
      </ul>
      <ConfirmDialog
        open={asked !== null}
        title="Are you sure you want to unblock this user?"
        description={`${asked?.name ?? ''} will be able to send you friend requests again.`}
        yes="Unblock"
        onYes={() => {
          if (asked) void unblock(asked);
        }}
        onClose={() => setAsked(null)}
      />
    </>
  );
}
