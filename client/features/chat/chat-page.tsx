import { MessageCircleOff } from 'lucide-react';
import { useCallback, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { NO_FRIEND_INFORMATION } from '#shared/chat/contract.ts';
import type { Contact } from '#shared/friends/document.ts';
import { lazyComponent } from '../../platform/lazy/lazy-component.tsx';
import { useUnavailableText } from '../../platform/sync/status/use-unavailable-text.ts';
import { ButtonLink } from '../../platform/ui/buttons/button.tsx';
import { useDialogParam } from '../../platform/ui/dialogs/use-dialog-param.ts';
import { ErrorBanner } from '../../platform/ui/feedback/error-banner.tsx';
import { Skeleton } from '../../platform/ui/feedback/skeleton.tsx';
import { Screen } from '../../platform/ui/layout/screen.tsx';
import { useMedia } from '../../platform/ui/layout/use-media.ts';
import { chatPath } from '../friends/chat-path.ts';
import { useContacts } from '../friends/use-contacts.ts';
import { ConversationList } from './conversations/conversation-list.tsx';
import type { ShownMessage } from './types.ts';
import { Chat } from './view/chat.tsx';

const ReportModal = lazyComponent(() => import('../moderation/admin/report-modal.tsx'));

/** From this width on, the list of chats is next to the thread. */
const TWO_PANES = '(min-width: 64rem)';

/** A one-to-one chat with a friend, and the form to report one of its messages. */
export default function ChatPage({ friendUserId }: { friendUserId: string }) {
  const { status, contacts } = useContacts();
  const friend = contacts.friends.find(({ user_id }) => user_id === friendUserId);
  const { opened, id, close } = useDialogParam('message');
  // A copy: if its author blocks the reporter meanwhile, the message or the whole chat disappears.
  const [reported, setReported] = useState<{ message: ShownMessage; person: Contact } | null>(null);
  const onReported = useCallback(
    (message: ShownMessage, person: Contact) =>
      setReported((before) => (before?.message.id === message.id ? before : { message, person })),
    [],
  );
  const navigate = useNavigate();
  const hasTwoPanes = useMedia(TWO_PANES);
  const isBesideList = hasTwoPanes && friend !== undefined;
  return (
    <>
      {/* The same elements in both layouts: turning a tablet must not lose a reply or a photo that isn't sent yet. */}
      <div className={isBesideList ? 'flex min-h-0 flex-1 gap-4 px-6' : 'contents'}>
        {isBesideList && (
          <nav
            aria-label="Chats"
            className="w-80 shrink-0 overflow-y-auto overscroll-contain rounded-card border border-line bg-surface p-4"
          >
            <ConversationList />
          </nav>
        )}
        {friend && (
          <Chat
            key={friendUserId}
            friend={friend}
            isBesideList={isBesideList}
            onReported={onReported}
          />
        )}
        {!friend && (status === 'ready' ? <ChatUnavailable /> : <NoFriendYet status={status} />)}
      </div>
      {opened === 'report' && reported?.message.id === id && (
        <ReportModal
          reported={{ type: 'message', id: reported.message.id, text: reported.message.text }}
          text={reported.message.text}
          person={reported.person}
          onClose={close}
          // The toast that offers it may be on another screen by then.
          onBlock={() => void navigate(`${chatPath(reported.person.user_id)}?open=block`)}
        />
      )}
    </>
  );
}

function NoFriendYet({ status }: { status: 'loading' | 'unavailable' }) {
  const unavailable = useUnavailableText('this chat');
  return (
    <Screen title="Chat" className="flex flex-col gap-4 px-4 py-2 sm:px-6">
      <h1 tabIndex={-1} className="text-2xl font-bold">
        Chat
      </h1>
      {status === 'loading' ? (
        <Skeleton label="Loading chat…" lines={4} />
      ) : (
        <ErrorBanner title={NO_FRIEND_INFORMATION}>{unavailable}</ErrorBanner>
      )}
    </Screen>
  );
}

/** Replaces a chat with a user who is not, or no longer, a friend. */
function ChatUnavailable() {
  return (
    <Screen
      title="Chat"
      className="flex flex-1 flex-col items-center justify-center gap-4 px-6 py-12 text-center"
    >
      <MessageCircleOff aria-hidden className="size-12 text-soft" />
      <h1 tabIndex={-1} className="text-2xl font-bold">
        Chat Not Available
      </h1>
      <p className="max-w-sm text-soft">Unable to load chat. You can only message friends.</p>
      <ButtonLink to="/social">Back to Social</ButtonLink>
    </Screen>
  );
}
