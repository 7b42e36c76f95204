import { useCallback, useEffect, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { listMessages } from '#shared/chat/contract.ts';
import type { CirclePerson } from '#shared/friends/document.ts';
import type { SendOutcome } from '#shared/moderation/rules.ts';
import { useFriendCard } from '../friends/use-circle.ts';
import { useAcceptance } from '../moderation/use-acceptance.ts';
import { useWordFilter } from '../moderation/use-word-filter.ts';
import { WordWarning } from '../moderation/word-warning.tsx';
import { Button } from '../ui/button.tsx';
import { ErrorBanner } from '../ui/error-banner.tsx';
import { Screen } from '../ui/screen.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { ChatDialogs } from './chat-dialogs.tsx';
import { ChatHeader } from './chat-header.tsx';
import { Compose } from './compose.tsx';
import { EmptyThread } from './empty-thread.tsx';
import { MessageList } from './message-list.tsx';
import { SafetyNotice } from './safety-notice.tsx';
import { ThreadSearch } from './thread-search.tsx';
import { useThread } from './use-threads.ts';
import { useVisibleHeight } from './use-visible-height.ts';

/** A thread with a friend, and where one writes to it. `?open=` says what is open over it. */
export function Chat({ friend }: { friend: CirclePerson }) {
  const thread = useThread(friend.user_id);
  const name = useFriendCard(friend)?.display_name || friend.name;
  const { acceptedAt } = useAcceptance();
  const check = useWordFilter();
  const [search, setSearch] = useSearchParams();
  const [outcome, setOutcome] = useState<SendOutcome>('sent');
  const [isSearching, setSearching] = useState(false);
  const [foundId, setFoundId] = useState<string | null>(null);
  useVisibleHeight();

  const open = useCallback(
    (dialog: string, message?: string) =>
      setSearch(message ? { open: dialog, message } : { open: dialog }),
    [setSearch],
  );
  const close = useCallback(() => setSearch({}, { replace: true }), [setSearch]);
  const reported = thread.messages.find(({ id }) => id === search.get('message'));

  function send() {
    const next = check(thread.draft);
    setOutcome(next);
    if (next === 'blocked') return;
    thread.send(thread.draft.trim());
    thread.setDraft('');
  }

  const { status, loadUntil } = thread;
  const show = useCallback(
    async (messageId: string) => {
      setFoundId(null);
      await loadUntil(messageId);
      setFoundId(messageId);
    },
    [loadUntil],
  );
  const at = search.get('at');
  useEffect(() => {
    if (at && status === 'ready') void show(at);
  }, [at, status, show]);

  return (
    <Screen
      title={`Chat with ${name}`}
      className="mx-auto flex min-h-0 w-full max-w-3xl flex-1 flex-col overflow-hidden md:rounded-card md:border md:border-line md:bg-ground"
    >
      <ChatHeader
        friend={friend}
        name={name}
        isOnline={thread.isOnline}
        isSearching={isSearching}
        onSearch={() => setSearching(!isSearching)}
        onOpen={open}
      />
      {isSearching && (
        <ThreadSearch
          name={name}
          search={thread.search}
          onFound={({ id }) => void show(id)}
          onLeave={() => setSearching(false)}
        />
      )}
      {thread.status === 'ready' && thread.messages.length > 0 && (
        <MessageList
          messages={thread.messages}
          name={name}
          firstNewId={thread.firstNewId}
          hasEarlier={thread.hasEarlier}
          isTyping={thread.isTyping}
          foundId={foundId}
          onLoadEarlier={thread.loadEarlier}
          onSeen={thread.markRead}
          onReport={(messageId) => open('report', messageId)}
        />
      )}
      {thread.status === 'ready' && thread.messages.length === 0 && <EmptyThread name={name} />}
      {thread.status !== 'ready' && (
        <div className="min-h-0 flex-1 overflow-y-auto p-4">
          {thread.status === 'loading' ? (
            <Skeleton label="Your messages are on their way" lines={5} />
          ) : (
            <ErrorBanner title={listMessages.failure}>
              They need the network once. They will show here as soon as they come.
            </ErrorBanner>
          )}
        </div>
      )}
      <div
        data-fills-window
        className="flex flex-col gap-3 border-t border-line bg-surface px-3 py-2.5 sm:px-4"
      >
        {!acceptedAt && <SafetyNotice onOpen={() => open('guidelines')} />}
        <WordWarning
          outcome={outcome}
          action={
            <Button look="quiet" className="-ml-5" onClick={() => open('guidelines')}>
              Safety Guidelines
            </Button>
          }
        />
        <Compose
          name={name}
          text={thread.draft}
          isDisabled={!acceptedAt || thread.isFrozen || thread.status !== 'ready'}
          onText={(text) => {
            setOutcome('sent');
            thread.setDraft(text);
          }}
          onSend={send}
        />
      </div>
      <ChatDialogs open={search.get('open')} friend={friend} reported={reported} onClose={close} />
    </Screen>
  );
}
