import { Suspense, useCallback, useState } from 'react';
import { useParams } from 'react-router-dom';
import { NO_FRIEND_INFORMATION } from '#shared/chat/contract.ts';
import type { Contact } from '#shared/friends/document.ts';
import { useContacts } from '../friends/use-contacts.ts';
import { lazyComponent } from '../lazy/lazy-component.ts';
import { ErrorBanner } from '../ui/error-banner.tsx';
import { Screen } from '../ui/screen.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { useOpened } from '../ui/use-dialog-param.ts';
import { Chat } from './view/chat.tsx';
import { ChatUnavailable } from './view/chat-unavailable.tsx';
import type { ShownMessage } from './types.ts';

const ReportModal = lazyComponent(() => import('../moderation/admin/report-modal.tsx'));

/** One-to-one chat with a friend, and the report that is written about a message in it. */
export default function ChatPage() {
  const { friendUserId = '' } = useParams();
  const { status, contacts } = useContacts();
  const friend = contacts.friends.find(({ user_id }) => user_id === friendUserId);
  const { opened, id, close } = useOpened('message');
  // As it was: its author may block or write on meanwhile, and then it is no longer in the chat, or there is none.
  const [reported, setReported] = useState<{ message: ShownMessage; person: Contact } | null>(null);
  const onReported = useCallback(
    (message: ShownMessage, person: Contact) =>
      setReported((before) => (before?.message.id === message.id ? before : { message, person })),
    [],
  );
  return (
    <>
      {friend && <Chat key={friendUserId} friend={friend} onReported={onReported} />}
      {!friend && (status === 'ready' ? <ChatUnavailable /> : <NoFriendYet status={status} />)}
      <Suspense>
        {opened === 'report' && reported?.message.id === id && (
          <ReportModal
            reported={{ type: 'message', id: reported.message.id, text: reported.message.text }}
            text={reported.message.text}
            person={reported.person}
            onClose={close}
          />
        )}
      </Suspense>
    </>
  );
}

function NoFriendYet({ status }: { status: 'loading' | 'unavailable' }) {
  return (
    <Screen title="Chat" className="flex flex-col gap-4 px-4 py-2 sm:px-6">
      <h1 tabIndex={-1} className="text-2xl font-bold">
        Chat
      </h1>
      {status === 'loading' ? (
        <Skeleton label="Loading chat…" lines={4} />
      ) : (
        <ErrorBanner title={NO_FRIEND_INFORMATION}>
          Connect to the internet once to load this chat.
        </ErrorBanner>
      )}
    </Screen>
  );
}
