import { useCallback, useEffect, useRef, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { listMessages } from '#shared/chat/contract.ts';
import type { Contact } from '#shared/friends/document.ts';
import { useFriendCard } from '../../friends/use-contacts.ts';
import { useConnection } from '../../sync/documents/use-document.ts';
import { ErrorBanner } from '../../ui/error-banner.tsx';
import { Screen } from '../../ui/screen.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { useOpened } from '../../ui/use-dialog-param.ts';
import { ChatDialogs } from './chat-dialogs.tsx';
import { ChatHeader } from './chat-header.tsx';
import { EmptyThread } from './empty-thread.tsx';
import { MessageAnnouncer } from './message-announcer.tsx';
import { MessageList } from './message-list.tsx';
import type { ShownMessage } from '../types.ts';
import { ThreadSearch } from '../search/thread-search.tsx';
import { useThread } from '../thread/use-thread.ts';
import { useVisibleHeight } from '../scrolling/use-visual-viewport-height.ts';
import { WriteMessage } from '../composer/composer.tsx';

/** A thread with a friend, and where one writes to it. `?open=` says what is open over it. */
export function Chat({
  friend,
  onReported,
}: {
  friend: Contact;
  /** Told which message `?open=report` is about, as soon as it is here. */
  onReported: (message: ShownMessage, person: Contact) => void;
}) {
  const thread = useThread(friend.user_id);
  const name = useFriendCard(friend)?.display_name || friend.name;
  const connection = useConnection();
  const [search] = useSearchParams();
  const { opened, id: reportedId, open, close } = useOpened('message');
  const [isSearching, setSearching] = useState(false);
  useVisibleHeight();

  const report = useCallback((messageId: string) => open('report', messageId), [open]);
  const { status, messages, show } = thread;
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
        // Who is there is not known without a network.
        isOnline={thread.friendIsOnline && connection !== 'offline'}
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
        <MessageList thread={thread} name={name} onReport={report} />
      )}
      {status === 'ready' && messages.length === 0 && (
        <EmptyThread name={name} isTyping={thread.friendIsTyping} />
      )}
      {status !== 'ready' && (
        <div className="min-h-0 flex-1 overflow-y-auto p-4">
          {status === 'loading' && connection !== 'offline' ? (
            <Skeleton label="Loading messages…" lines={5} />
          ) : (
            <ErrorBanner title={listMessages.failure}>
              Connect to the internet once to load your messages.
            </ErrorBanner>
          )}
        </div>
      )}
      <WriteMessage
        thread={thread}
        friendUserId={friend.user_id}
        name={name}
        onGuidelines={() => open('guidelines')}
      />
      <ChatDialogs open={opened} friend={{ ...friend, name }} onClose={close} />
    </Screen>
  );
}
