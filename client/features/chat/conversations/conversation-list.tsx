import { BellOff } from 'lucide-react';
import { useEffect, useState, type ReactNode } from 'react';
import { Link, useLocation } from 'react-router-dom';
import { listConversations } from '#shared/chat/contract.ts';
import { previewOf } from '#shared/chat/rules.ts';
import { searchText } from '#shared/normalization/search-text.ts';
import { EmptyState } from '../../../platform/illustrations/empty-state.tsx';
import { useDocuments, useSyncState } from '../../../platform/sync/documents/use-document.ts';
import { useUnavailableText } from '../../../platform/sync/status/use-unavailable-text.ts';
import { ButtonLink } from '../../../platform/ui/buttons/button.tsx';
import { ErrorBanner } from '../../../platform/ui/feedback/error-banner.tsx';
import { Skeleton } from '../../../platform/ui/feedback/skeleton.tsx';
import { chatPath } from '../../friends/chat-path.ts';
import { LookalikeNote } from '../../friends/lookalike-note.tsx';
import { PersonAndDog } from '../../friends/person-photo.tsx';
import { useContacts, useFriendNames } from '../../friends/use-contacts.ts';
import { WaitingBadge } from '../../friends/waiting-badge.tsx';
import { useMuted } from '../../push/use-muted.ts';
import { useDrafts } from '../composer/use-drafts.ts';
import { FoundMessages, SearchBox } from '../search/search-view.tsx';
import { useConversations } from '../thread/use-thread.ts';
import type { ShownConversation } from '../types.ts';
import { briefWords } from '../view/format-time.ts';
import { summariesOf } from './conversation-cache.ts';
import { useServerConversations } from './use-server-conversations.ts';

/** Leads to the chat with a friend. */
function FriendLink({
  friendUserId,
  name,
  children,
}: {
  friendUserId: string;
  name: string;
  children: ReactNode;
}) {
  const { contacts } = useContacts();
  const friend = contacts.friends.find(({ user_id }) => user_id === friendUserId);
  const to = chatPath(friendUserId);
  return (
    <Link
      to={to}
      aria-current={useLocation().pathname === to ? 'page' : undefined}
      className="-mx-2 flex min-h-18 items-center gap-3 rounded-control px-2 py-2 hover:bg-sunken aria-[current]:bg-sunken"
    >
      <PersonAndDog person={friend} name={name} />
      <span className="flex min-w-0 flex-1 flex-col">{children}</span>
    </Link>
  );
}

/** A conversation with a friend: the last message or the draft. */
function ConversationRow({
  conversation,
  draft,
  isMuted,
}: {
  conversation: ShownConversation;
  draft: string | undefined;
  isMuted: boolean;
}) {
  const { friend_user_id, name, preview, isOwn, last_activity, unread_count } = conversation;
  // What the user wrote after it is nothing new.
  const isUnread = unread_count > 0 && !isOwn;
  const shownDraft = draft && !isUnread ? previewOf(draft) : '';
  return (
    <li className="[contain-intrinsic-size:auto_4.5rem] nth-[n+7]:[content-visibility:auto]">
      <FriendLink friendUserId={friend_user_id} name={name}>
        <span className="flex items-baseline justify-between gap-3">
          <span className="flex min-w-0 items-center gap-1.5 font-bold">
            <span className="truncate">{name}</span>
            {isMuted && (
              <BellOff role="img" aria-label="Muted" className="size-4 shrink-0 text-soft" />
            )}
          </span>
          <time dateTime={last_activity} className="shrink-0 text-sm text-soft">
            {briefWords(last_activity)}
          </time>
        </span>
        <LookalikeNote userId={friend_user_id} name={name} />
        <span className="flex items-center justify-between gap-3">
          <span className={`truncate ${isUnread ? 'font-bold text-ink' : 'text-soft'}`}>
            {shownDraft && <span className="font-bold text-accent">Draft: </span>}
            <span>{shownDraft || `${isOwn ? 'You: ' : ''}${preview}`}</span>
          </span>
          <WaitingBadge unread={unread_count} className="shrink-0" />
        </span>
      </FriendLink>
    </li>
  );
}

/** Updates the names in the cache, which the next start shows before any document is open. */
function useCurrentNames(isKnown: boolean, names: ReadonlyMap<string, string>): void {
  const documents = useDocuments();
  useEffect(() => {
    if (isKnown && documents) summariesOf(documents).rename(names);
  }, [documents, isKnown, names]);
}

/** The conversations, the last active first, and a search in all messages. */
export function ConversationList() {
  const { status, conversations: stored } = useConversations();
  const unavailable = useUnavailableText('your chats');
  const { listed, isLoading } = useServerConversations(status === 'unavailable');
  const conversations = listed ?? stored;
  const { status: contactsStatus, contacts } = useContacts();
  const names = useFriendNames();
  useCurrentNames(contactsStatus === 'ready', names);
  const sync = useSyncState();
  // A new device receives the list of friends before their messages.
  const isArriving =
    contacts.friends.length > 0 && sync.connection !== 'offline' && !sync.isConfirmed;
  const drafts = useDrafts();
  const { muted } = useMuted();
  const [term, setTerm] = useState('');
  const wanted = term.trim();
  if (status === 'loading' || isLoading || (conversations.length === 0 && isArriving))
    return <Skeleton label="Loading chats…" lines={4} />;
  if (status === 'unavailable' && !listed)
    return <ErrorBanner title={listConversations.failure}>{unavailable}</ErrorBanner>;
  const isNamed = ({ name }: { name: string }) => searchText(name).includes(searchText(wanted));
  const talked = new Set(conversations.map(({ friend_user_id }) => friend_user_id));
  const others = [...names]
    .map(([id, name]) => ({ id, name, draft: previewOf(drafts[id]?.text ?? '') }))
    .filter((each) => !talked.has(each.id) && (!wanted || isNamed(each)));
  const isEmpty = conversations.length === 0 && !wanted;
  return (
    <div className="flex flex-col gap-3">
      {isEmpty && others.every(({ draft }) => draft === '') && (
        <EmptyState
          illustration="chats"
          isSmall={others.length > 0}
          action={
            others.length === 0 && (
              <ButtonLink look="secondary" to="/social?tab=search">
                Add a friend
              </ButtonLink>
            )
          }
        >
          No chats yet. You can message any of your friends.
        </EmptyState>
      )}
      {(!isEmpty || others.length > 0) && (
        <SearchBox
          label="Search chats"
          value={term}
          onChange={setTerm}
          onLeave={() => setTerm('')}
        />
      )}
      <ul aria-label="Chats" className="divide-y divide-line empty:hidden">
        {conversations.filter(isNamed).map((conversation) => (
          <ConversationRow
            key={conversation.friend_user_id}
            conversation={conversation}
            draft={drafts[conversation.friend_user_id]?.text}
            isMuted={muted.has(conversation.friend_user_id)}
          />
        ))}
      </ul>
      <ul aria-label="Other friends" className="divide-y divide-line empty:hidden">
        {others.map(({ id, name, draft }) => (
          <li key={id}>
            <FriendLink friendUserId={id} name={name}>
              <span className="truncate font-bold">{name}</span>
              <LookalikeNote userId={id} name={name} />
              <span className="truncate text-soft">
                {draft && <span className="font-bold text-accent">Draft: </span>}
                <span>{draft || 'Write a message'}</span>
              </span>
            </FriendLink>
          </li>
        ))}
      </ul>
      {wanted !== '' && <FoundMessages term={wanted} />}
    </div>
  );
}
