import { useEffect, useMemo, useState } from 'react';
import { Link } from 'react-router-dom';
import { listConversations } from '#shared/chat/contract.ts';
import { readDrafts } from '#shared/chat/drafts.ts';
import { previewOf } from '#shared/chat/rules.ts';
import { useCircle, useFriendNames } from '../friends/use-circle.ts';
import { useDocument, useDocuments, useSyncState } from '../sync/use-document.ts';
import { ButtonLink } from '../ui/button.tsx';
import { ErrorBanner } from '../ui/error-banner.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { FoundMessages } from './found-messages.tsx';
import { SearchBox } from './search-box.tsx';
import type { ShownConversation } from './shown.ts';
import { briefWords } from './times.ts';
import { UnreadBadge } from './unread-badge.tsx';
import { useListed } from './use-listed.ts';
import { useConversations } from './use-threads.ts';

function ConversationRow({
  conversation,
  draft,
}: {
  conversation: ShownConversation;
  /** What was begun and not sent. */
  draft: string | undefined;
}) {
  const { friend_user_id, name, preview, isOwn, last_activity, unread_count } = conversation;
  const isUnread = unread_count > 0;
  return (
    <li>
      <Link
        to={`/chat/${friend_user_id}`}
        className="-mx-2 flex min-h-16 items-center gap-3 rounded-control px-2 py-2 hover:bg-sunken"
      >
        <span
          aria-hidden
          className="inline-flex size-11 shrink-0 items-center justify-center rounded-full bg-accent-soft text-lg font-bold text-accent"
        >
          {Array.from(name)[0]?.toUpperCase()}
        </span>
        <span className="flex min-w-0 flex-1 flex-col">
          <span className="flex items-baseline justify-between gap-3">
            <span className="truncate font-bold">{name}</span>
            <time dateTime={last_activity} className="shrink-0 text-sm text-soft">
              {briefWords(last_activity)}
            </time>
          </span>
          <span className="flex items-center justify-between gap-3">
            <span className={`truncate ${isUnread ? 'font-semibold' : 'text-soft'}`}>
              {draft && !isUnread ? (
                <>
                  <span className="font-semibold text-accent">Draft: </span>
                  {previewOf(draft)}
                </>
              ) : (
                <>
                  {isOwn ? 'You: ' : ''}
                  {preview}
                </>
              )}
            </span>
            <UnreadBadge count={unread_count} className="shrink-0" />
          </span>
        </span>
      </Link>
    </li>
  );
}

/** Has the next start show friends by their names of now, before any document is here. */
function useKeptNames(isKnown: boolean): void {
  const documents = useDocuments();
  const names = useFriendNames();
  useEffect(() => {
    if (isKnown) documents?.conversations.rename(names);
  }, [documents, isKnown, names]);
}

/** Whom the owner talks with, the last active one first, and a search through what was said. */
export function ConversationList() {
  const { status, conversations: kept } = useConversations();
  const listed = useListed(status === 'unavailable');
  const conversations = listed ?? kept;
  const { status: circleStatus, circle } = useCircle();
  useKeptNames(circleStatus === 'ready');
  const sync = useSyncState();
  // A device that is new to its owner has the friends before what they wrote.
  const isArriving =
    circle.friends.length > 0 && sync.connection !== 'offline' && !sync.isConfirmed;
  const { doc: account } = useDocument('account');
  const drafts = useMemo(() => readDrafts(account), [account]);
  const [term, setTerm] = useState('');
  const wanted = term.trim();
  if (status === 'loading' || (conversations.length === 0 && isArriving))
    return <Skeleton label="Your chats are on their way" lines={4} />;
  if (status === 'unavailable' && !listed)
    return (
      <ErrorBanner title={listConversations.failure}>
        They need the network once. They will show here as soon as they come.
      </ErrorBanner>
    );
  if (conversations.length === 0)
    return (
      <div className="flex flex-col items-start gap-3">
        <p className="text-soft">No chats yet. You can write to anybody who is your friend.</p>
        <ButtonLink look="secondary" to="/social?tab=friends">
          Choose a friend
        </ButtonLink>
      </div>
    );
  const named = conversations.filter(({ name }) =>
    name.toLowerCase().includes(wanted.toLowerCase()),
  );
  return (
    <div className="flex flex-col gap-3">
      <SearchBox label="Search chats" value={term} onChange={setTerm} onLeave={() => setTerm('')} />
      <ul aria-label="Chats" className="divide-y divide-line empty:hidden">
        {named.map((conversation) => (
          <ConversationRow
            key={conversation.friend_user_id}
            conversation={conversation}
            draft={drafts[conversation.friend_user_id]}
          />
        ))}
      </ul>
      {wanted !== '' && <FoundMessages term={wanted} />}
    </div>
  );
}
