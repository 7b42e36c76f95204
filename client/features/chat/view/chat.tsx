import {
  ArrowLeft,
  Ban,
  Bell,
  BellOff,
  CalendarPlus,
  Search,
  ShieldCheck,
  UserRoundMinus,
} from 'lucide-react';
import { useCallback, useEffect, useRef, useState, useLayoutEffect } from 'react';
import { useSearchParams, useNavigate } from 'react-router-dom';
import { toast } from 'sonner';
import { editMessage, listMessages, unsendMessage } from '#shared/chat/contract.ts';
import { PHOTO_TEXT } from '#shared/chat/rules.ts';
import { formatDate } from '#shared/dates.ts';
import type { Contact } from '#shared/friends/document.ts';
import { planWalkWith } from '#shared/planned-walks/rules.ts';
import { messageOf } from '../../../platform/http/error-message.ts';
import { lazyComponent } from '../../../platform/lazy/lazy-component.tsx';
import { useConnection, useDocuments } from '../../../platform/sync/documents/use-document.ts';
import { offerUndo } from '../../../platform/sync/outbox/offer-undo.ts';
import { sendLater, sendUnlessUndone } from '../../../platform/sync/outbox/outbox.ts';
import { useUnavailableText } from '../../../platform/sync/status/use-unavailable-text.ts';
import { ActionsMenu } from '../../../platform/ui/buttons/actions-menu.tsx';
import { IconButton } from '../../../platform/ui/buttons/icon-button.tsx';
import { IconLink } from '../../../platform/ui/buttons/icon-link.tsx';
import { ConfirmDialog } from '../../../platform/ui/dialogs/confirm-dialog.tsx';
import { useDialogParam } from '../../../platform/ui/dialogs/use-dialog-param.ts';
import { ErrorBanner } from '../../../platform/ui/feedback/error-banner.tsx';
import { Skeleton } from '../../../platform/ui/feedback/skeleton.tsx';
import { Screen } from '../../../platform/ui/layout/screen.tsx';
import { BlockDialog } from '../../blocks/block-dialog.tsx';
import { ProfileLink } from '../../card/profile-link.tsx';
import { LookalikeNote } from '../../friends/lookalike-note.tsx';
import { DogNames, PersonAndDog } from '../../friends/person-photo.tsx';
import { useFriendCard, useContactActions } from '../../friends/use-contacts.ts';
import { useMuted } from '../../push/use-muted.ts';
import { Composer, type MessageEdit } from '../composer/composer.tsx';
import { ThreadSearch } from '../search/search-view.tsx';
import { useThread, type OwnThread } from '../thread/use-thread.ts';
import type { ShownMessage } from '../types.ts';
import { MessageAnnouncer } from './message-announcer.tsx';
import { EmptyThread, MessageList } from './message-list.tsx';
import type { MessageActions } from './message-menu.tsx';

/** A thread with a friend and the form to write to it. `?open=` names the open dialog. */
export function Chat({
  friend,
  isBesideList,
  onReported,
}: {
  friend: Contact;
  /** Whether the list of chats is next to it, so that no way back is needed. */
  isBesideList: boolean;
  /** Receives the message that `?open=report` refers to, once it is here. */
  onReported: (message: ShownMessage, person: Contact) => void;
}) {
  const thread = useThread(friend.user_id);
  const name = useFriendCard(friend)?.display_name || friend.name;
  const connection = useConnection();
  const unavailable = useUnavailableText('your messages');
  const [search] = useSearchParams();
  const { opened, id: reportedId, open, close } = useDialogParam('message');
  const [isSearching, setSearching] = useState(false);
  useVisibleHeight();

  const report = useCallback((messageId: string) => open('report', messageId), [open]);
  const { status, messages, show } = thread;
  const [replyTo, setReplyTo] = useState<ShownMessage | null>(null);
  const [edit, setEdit] = useState<MessageEdit | null>(null);
  const actions = useMessageActions(thread, {
    name,
    onReply: setReplyTo,
    onEdit: (message) => setEdit({ message, text: captionOf(message) }),
    onReport: report,
  });
  const onEdited = useSendEdit(name);
  const reported = opened === 'report' && messages.find(({ id }) => id === reportedId);
  useEffect(() => {
    if (reported) onReported(reported, { ...friend, name });
  }, [reported, friend, name, onReported]);
  const shown = useRef<string | null>(null);
  const at = search.get('at');
  const isReady = status === 'ready';
  useEffect(() => {
    if (!at || !isReady || shown.current === at) return;
    shown.current = at;
    void show(at);
  }, [at, isReady, show]);

  return (
    <Screen
      title={`Chat with ${name}`}
      className="mx-auto flex min-h-0 w-full max-w-3xl flex-1 flex-col overflow-hidden md:rounded-card md:border md:border-line md:bg-ground"
    >
      <ChatHeader
        friend={friend}
        name={name}
        // Presence is unknown without a network.
        isOnline={thread.friendIsOnline && connection !== 'offline'}
        isBesideList={isBesideList}
        isSearching={isSearching}
        onSearch={() => setSearching(!isSearching)}
        onOpen={open}
      />
      {isSearching && (
        <ThreadSearch
          friendUserId={friend.user_id}
          name={name}
          onFound={(messageId) => void show(messageId)}
          onLeave={() => setSearching(false)}
        />
      )}
      {status === 'ready' && <MessageAnnouncer thread={thread} name={name} />}
      {status === 'ready' && messages.length > 0 && (
        <MessageList thread={thread} name={name} actions={actions} />
      )}
      {status === 'ready' && messages.length === 0 && (
        <EmptyThread name={name} isTyping={thread.friendIsTyping} />
      )}
      {status !== 'ready' && (
        <div className="min-h-0 flex-1 overflow-y-auto p-4">
          {status === 'loading' && connection !== 'offline' ? (
            <Skeleton label="Loading messages…" lines={5} />
          ) : (
            <ErrorBanner title={listMessages.failure}>{unavailable}</ErrorBanner>
          )}
        </div>
      )}
      <Composer
        thread={thread}
        friendUserId={friend.user_id}
        name={name}
        replyTo={replyTo}
        onReplied={() => setReplyTo(null)}
        edit={edit}
        onEdit={setEdit}
        onEdited={(next) => {
          setEdit(null);
          onEdited(next);
        }}
        onGuidelines={() => open('guidelines')}
      />
      <ChatDialogs open={opened} friend={{ ...friend, name }} onClose={close} />
    </Screen>
  );
}

/** What somebody wrote: a photo without words has a text for older devices. */
const captionOf = ({ text, photo }: ShownMessage): string =>
  photo && text === PHOTO_TEXT ? '' : text;

/** Returns what the menu of a message does. */
function useMessageActions(
  thread: OwnThread,
  {
    name,
    onReply,
    onEdit,
    onReport,
  }: {
    name: string;
    onReply: (message: ShownMessage) => void;
    onEdit: (message: ShownMessage) => void;
    onReport: (messageId: string) => void;
  },
): MessageActions {
  const documents = useDocuments();
  return {
    onReply,
    onEdit,
    onReport,
    onReact: ({ id }, reaction) => {
      try {
        thread.react(id, reaction);
      } catch (error) {
        toast.error(messageOf(error, 'Please try it again.'));
      }
    },
    onUnsend: ({ id }) => {
      if (!documents) return;
      const unsend = async () => {
        const undo = await sendUnlessUndone(documents, 'messages.unsend', { params: { id } }, name);
        offerUndo('Unsending the message', undo);
      };
      unsend().catch((error: unknown) => {
        console.error(unsendMessage.failure, error);
        toast.error(unsendMessage.failure);
      });
    },
  };
}

/** Returns what sends an edited message, now or when online. @param name of the friend */
function useSendEdit(name: string) {
  const documents = useDocuments();
  return ({ message, text: words }: MessageEdit) => {
    const { id, text: before, photo } = message;
    // A photo may lose its caption.
    const text = words === '' && photo ? PHOTO_TEXT : words;
    if (!documents || text === '' || text === before) return;
    const input = { params: { id }, body: { message_text: text } };
    sendLater(documents, 'messages.edit', input, name).catch((error: unknown) => {
      console.error(editMessage.failure, error);
      toast.error(editMessage.failure);
    });
  };
}

const ITEMS = [
  { open: 'guidelines', name: 'Safety Guidelines', Icon: ShieldCheck },
  { open: 'remove', name: 'Remove Friend', Icon: UserRoundMinus },
  { open: 'block', name: 'Block User', Icon: Ban },
] as const;

/** A dialog in the menu of a chat. */
type ChatDialog = (typeof ITEMS)[number]['open'];

/** The friend's name and the actions of a chat. */
function ChatHeader({
  friend,
  name,
  isOnline,
  isBesideList,
  isSearching,
  onSearch,
  onOpen,
}: {
  friend: Contact;
  name: string;
  isOnline: boolean;
  isBesideList: boolean;
  isSearching: boolean;
  onSearch: () => void;
  onOpen: (dialog: ChatDialog) => void;
}) {
  const navigate = useNavigate();
  const { muted, mute } = useMuted();
  const isMuted = muted.has(friend.user_id);
  const hasDogs = (useFriendCard(friend)?.dogs.length ?? 0) > 0;
  return (
    <div
      data-chat-header
      className="flex items-center border-b border-line px-1 py-1.5 max-[17rem]:flex-wrap max-[17rem]:justify-between sm:px-3"
    >
      {!isBesideList && (
        <IconLink Icon={ArrowLeft} label="Back to all chats" to="/social?tab=chat" />
      )}
      <span className="max-[22rem]:hidden">
        <PersonAndDog person={friend} name={name} className="size-10 text-lg" />
      </span>
      {/* With large text, the name has a line of its own. */}
      <div className="min-w-0 flex-1 pl-3 max-[17rem]:order-last max-[17rem]:basis-full max-[17rem]:px-2">
        <div className="flex items-center gap-2">
          <h1 tabIndex={-1} className="min-w-0 text-lg font-bold">
            <ProfileLink
              userId={friend.user_id}
              className="-mt-2 -mb-1 block min-w-11 truncate pt-2 pb-1 leading-8 underline-offset-4 hover:underline"
            >
              {name}
            </ProfileLink>
          </h1>
          <span className="flex shrink-0 items-center gap-1.5 pr-1 text-sm empty:hidden">
            {isMuted && <BellOff role="img" aria-label="Muted" className="size-4 text-soft" />}
            {isOnline && (
              <>
                <span aria-hidden className="size-2.5 rounded-full bg-accent" />
                <span>online</span>
              </>
            )}
          </span>
        </div>
        <LookalikeNote userId={friend.user_id} name={name} />
        <p data-makes-room className="truncate text-sm tracking-tight text-soft low:hidden">
          {hasDogs && (
            <span>
              <DogNames person={friend} />
              <span className="max-sm:sr-only">{' · '}</span>
            </span>
          )}
          {/* A phone has no room for both. */}
          <span className={hasDogs ? 'max-sm:sr-only' : ''}>
            Friends since {formatDate(friend.at)}
          </span>
        </p>
      </div>
      <IconButton
        Icon={Search}
        label="Search this chat"
        aria-pressed={isSearching}
        onClick={onSearch}
        className="aria-pressed:bg-accent-soft aria-pressed:text-accent"
      />
      <ActionsMenu
        label="Menu"
        actions={[
          {
            name: 'Plan a walk',
            Icon: CalendarPlus,
            onSelect: () => void navigate(planWalkWith(friend.user_id)),
          },
          {
            name: isMuted ? 'Unmute' : 'Mute',
            Icon: isMuted ? Bell : BellOff,
            onSelect: () => {
              mute(friend.user_id, !isMuted);
              toast(isMuted ? 'Notifications are on' : 'Messages no longer notify you', {
                action: { label: 'Undo', onClick: () => mute(friend.user_id, isMuted) },
              });
            },
          },
          ...ITEMS.map(({ open, ...item }) => ({ ...item, onSelect: () => onOpen(open) })),
        ]}
      />
    </div>
  );
}

const GuidelinesModal = lazyComponent(() => import('../../moderation/guidelines-modal.tsx'));

/** The dialogs of a chat. */
function ChatDialogs({
  open,
  friend,
  onClose,
}: {
  open: string | null;
  friend: Contact;
  onClose: () => Promise<void>;
}) {
  const { removeFriend } = useContactActions();
  const navigate = useNavigate();
  // Close the dialog first, or the back button would open it again.
  const leave = () => onClose().then(() => navigate('/social', { replace: true }));
  return (
    <>
      <ConfirmDialog
        open={open === 'remove'}
        title="Are you sure you want to remove this friend?"
        description={`${friend.name} won’t be notified. You’ll no longer be able to message each other.`}
        yes="Remove"
        onYes={() => {
          void removeFriend(friend).then((isQueued) => (isQueued ? leave() : undefined));
        }}
        onClose={onClose}
      />
      <BlockDialog
        open={open === 'block'}
        person={friend}
        onClose={() => void onClose()}
        onDone={() => void leave()}
      />
      {open === 'guidelines' && <GuidelinesModal onClose={onClose} />}
    </>
  );
}

/** Less than this is left by a phone's keyboard. */
const LOW_PX = 480;

/** Sets `--visible-height` and `data-keyboard` by the height that the on-screen keyboard leaves, while mounted. */
function useVisibleHeight(): void {
  useLayoutEffect(() => {
    const { visualViewport } = window;
    if (!visualViewport) return;
    const { style } = document.documentElement;
    const update = () => {
      // A zoomed-in page shows only a section of the window.
      if (visualViewport.scale > 1.01) return;
      style.setProperty('--visible-height', `${visualViewport.height}px`);
      const isLow = visualViewport.height < LOW_PX;
      document.documentElement.toggleAttribute('data-keyboard', isLow);
      // iOS moves the page up behind its keyboard.
      if (visualViewport.offsetTop > 0) window.scrollTo({ top: 0, behavior: 'instant' });
    };
    update();
    visualViewport.addEventListener('resize', update);
    return () => {
      visualViewport.removeEventListener('resize', update);
      style.removeProperty('--visible-height');
      document.documentElement.removeAttribute('data-keyboard');
    };
  }, []);
}
