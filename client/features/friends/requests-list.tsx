import { Flag } from 'lucide-react';
import { noticeKey } from '#shared/push/contract.ts';
import { useShown } from '../../platform/events/shown-notices.ts';
import { EmptyState } from '../../platform/illustrations/empty-state.tsx';
import { lazyComponent } from '../../platform/lazy/lazy-component.tsx';
import { Button } from '../../platform/ui/buttons/button.tsx';
import { useDialogParam } from '../../platform/ui/dialogs/use-dialog-param.ts';
import type { OwnContacts } from './optimistic-contacts.ts';
import { PersonRow } from './person-row.tsx';
import { useContactActions } from './use-contacts.ts';

const ReportModal = lazyComponent(() => import('../moderation/admin/report-modal.tsx'));

/** Received friend requests, to accept or deny, and sent ones. */
export function RequestsList({ contacts }: { contacts: OwnContacts }) {
  const { accept, deny, withdraw } = useContactActions();
  const { received, sent, waiting } = contacts;
  const { opened, id, open, close } = useDialogParam('request');
  useShown(
    received.flatMap(({ request_id }) => (request_id ? [noticeKey.friendRequest(request_id)] : [])),
  );
  const reported =
    opened === 'report-request' && id !== null
      ? received.find(({ request_id }) => request_id === id)
      : undefined;
  return (
    <div className="flex flex-col gap-6">
      <section aria-labelledby="received" className="flex flex-col gap-2.5">
        <h2 id="received" className="text-lg font-bold">
          Received
        </h2>
        {received.length === 0 && (
          <EmptyState illustration="friends" isSmall>
            No requests waiting for you.
          </EmptyState>
        )}
        <ul className="divide-y divide-line empty:hidden">
          {received.map((person) => (
            <PersonRow
              key={person.user_id}
              person={person}
              since="Asked on"
              words={person.message}
              isWaiting={waiting.has(person.user_id)}
            >
              {person.request_id && (
                <Button
                  look="quiet"
                  className="-ml-5"
                  Icon={Flag}
                  onClick={() => open('report-request', person.request_id ?? '')}
                >
                  Report<span className="sr-only"> the request from {person.name}</span>
                </Button>
              )}
              <Button look="secondary" onClick={() => void deny(person)}>
                Deny<span className="sr-only"> {person.name}</span>
              </Button>
              <Button onClick={() => void accept(person)}>
                Accept<span className="sr-only"> {person.name}</span>
              </Button>
            </PersonRow>
          ))}
        </ul>
      </section>
      <section aria-labelledby="sent" className="flex flex-col gap-2.5">
        <h2 id="sent" className="text-lg font-bold">
          Sent
        </h2>
        {sent.length === 0 && (
          <p className="text-soft">No requests of yours are waiting for an answer.</p>
        )}
        <ul className="divide-y divide-line empty:hidden">
          {sent.map((person) => (
            <PersonRow
              key={person.user_id}
              person={person}
              since="Asked on"
              words={person.message}
              isWaiting={waiting.has(person.user_id)}
            >
              <span className="rounded-full bg-sunken px-3 py-1 text-sm font-bold">Pending</span>
              <Button look="secondary" onClick={() => void withdraw(person)}>
                Withdraw<span className="sr-only"> the request to {person.name}</span>
              </Button>
            </PersonRow>
          ))}
        </ul>
      </section>
      {reported?.request_id && (
        <ReportModal
          reported={{ type: 'friend_request', request_id: reported.request_id }}
          text={reported.message}
          person={reported}
          onClose={() => void close()}
        />
      )}
    </div>
  );
}
