import { useState } from 'react';
import type { Contact } from '#shared/friends/document.ts';
import { EmptyState } from '../../platform/illustrations/empty-state.tsx';
import { Button } from '../../platform/ui/buttons/button.tsx';
import type { OwnContacts } from '../friends/optimistic-contacts.ts';
import { PersonRow } from '../friends/person-row.tsx';
import { UnblockDialog } from './unblock-dialog.tsx';

/** The blocked users, each with an unblock button. */
export function BlockedList({ contacts }: { contacts: OwnContacts }) {
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
      <UnblockDialog person={asked} onClose={() => setAsked(null)} />
    </>
  );
}
