import { Ban, CalendarDays, Inbox, MessagesSquare, Search, Ticket, UsersRound } from 'lucide-react';
import { Tabs } from 'radix-ui';
import { useMemo, type ReactNode } from 'react';
import { useSearchParams } from 'react-router-dom';
import { listBlocks } from '#shared/blocks/contract.ts';
import { listFriendRequests, listFriends } from '#shared/friends/contract.ts';
import { BlockedList } from '../../features/blocks/blocked-list.tsx';
import { ConversationList } from '../../features/chat/conversations/conversation-list.tsx';
import { useConversations, useUnreadMessages } from '../../features/chat/thread/use-thread.ts';
import { LinkButton } from '../../features/friend-links/link-button.tsx';
import { QrButtons } from '../../features/friend-links/qr-buttons.tsx';
import { FriendsList } from '../../features/friends/friends-list.tsx';
import type { OwnContacts } from '../../features/friends/optimistic-contacts.ts';
import { RequestsList } from '../../features/friends/requests-list.tsx';
import { useContactCounts } from '../../features/friends/use-contact-counts.ts';
import { useContacts } from '../../features/friends/use-contacts.ts';
import { WaitingBadge } from '../../features/friends/waiting-badge.tsx';
import { GuidelinesBanner } from '../../features/moderation/guidelines-banner.tsx';
import { lazyComponent, optionalComponent } from '../../platform/lazy/lazy-component.tsx';
import { useUnavailableText } from '../../platform/sync/status/use-unavailable-text.ts';
import { ButtonLink } from '../../platform/ui/buttons/button.tsx';
import { ErrorBanner } from '../../platform/ui/feedback/error-banner.tsx';
import { Skeleton } from '../../platform/ui/feedback/skeleton.tsx';
import { Screen } from '../../platform/ui/layout/screen.tsx';
import { TabList } from '../../platform/ui/navigation/tab-list.tsx';

const SearchTab = lazyComponent(
  () => import('../../features/invitations/search-tab.tsx'),
  () => <Skeleton label="Loading search…" lines={3} />,
);
const InvitationsTab = lazyComponent(
  () => import('../../features/invitations/invitations-tab.tsx'),
  () => <Skeleton label="Loading invitations…" lines={3} />,
);

const UnansweredBadge = optionalComponent(
  () => import('../../features/planned-walks/unanswered-badge.tsx'),
);

/** The friends, with what was last written. */
function Friends({ contacts }: { contacts: OwnContacts }) {
  const { conversations } = useConversations();
  const lastWords = useMemo(
    () =>
      new Map(
        conversations.map(({ friend_user_id, preview, isOwn, last_activity, unread_count }) => [
          friend_user_id,
          {
            text: isOwn ? `You: ${preview}` : preview,
            at: last_activity,
            unread: isOwn ? 0 : unread_count,
          },
        ]),
      ),
    [conversations],
  );
  return <FriendsList contacts={contacts} ways={<QrButtons />} lastWords={lastWords} />;
}

const TABS = ['friends', 'requests', 'search', 'chat', 'invitations', 'blocked'] as const;

/** Chats, friends and requests, then what is needed less often; the tab is in the address: `?tab=requests`. */
export default function SocialPage() {
  const [search, setSearch] = useSearchParams();
  const { status, contacts } = useContacts();
  const unread = useUnreadMessages();
  const { friends, requests } = useContactCounts();
  const tab = TABS.find((each) => each === search.get('tab')) ?? 'friends';

  const unavailable = useUnavailableText('it');

  const content = (failure: string, list: ReactNode) => {
    if (status === 'ready') return list;
    if (status === 'loading') return <Skeleton label="Loading friends…" lines={3} />;
    return <ErrorBanner title={failure}>{unavailable}</ErrorBanner>;
  };
  const tabs = [
    { value: 'chat', name: 'Chat', Icon: MessagesSquare, badge: <WaitingBadge unread={unread} /> },
    {
      value: 'friends',
      name: friends > 0 ? `Friends (${friends})` : 'Friends',
      Icon: UsersRound,
    },
    {
      value: 'requests',
      name: 'Requests',
      Icon: Inbox,
      badge: <WaitingBadge requests={requests} />,
    },
    { value: 'search', name: 'Search', Icon: Search },
    { value: 'invitations', name: 'Invitations', Icon: Ticket },
    { value: 'blocked', name: 'Blocked', Icon: Ban },
  ];
  const panel = 'rounded-card border border-line bg-surface p-4 shadow-lift sm:p-5';
  return (
    <Screen title="Social" className="flex flex-col gap-3 px-4 pb-4 sm:px-6">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <h1 tabIndex={-1} className="text-2xl font-bold tracking-tight sm:text-3xl">
          Social
        </h1>
        <ButtonLink look="secondary" to="/walks/planned" Icon={CalendarDays}>
          Planned walks
          <UnansweredBadge />
        </ButtonLink>
      </div>
      <Tabs.Root
        value={tab}
        onValueChange={(value) => setSearch({ tab: value }, { replace: true })}
        className="flex flex-col gap-3"
      >
        <TabList label="Social" isOneRow tabs={tabs} />
        <Tabs.Content value="friends" className={panel}>
          {content(listFriends.failure, <Friends contacts={contacts} />)}
        </Tabs.Content>
        <Tabs.Content value="requests" className={panel}>
          {content(listFriendRequests.failure, <RequestsList contacts={contacts} />)}
        </Tabs.Content>
        <Tabs.Content value="search" className={panel}>
          <SearchTab
            ways={
              <QrButtons>
                <LinkButton />
              </QrButtons>
            }
          />
        </Tabs.Content>
        <Tabs.Content value="chat" className={panel}>
          <ConversationList />
        </Tabs.Content>
        <Tabs.Content value="invitations" className={panel}>
          <InvitationsTab />
        </Tabs.Content>
        <Tabs.Content value="blocked" className={panel}>
          {content(listBlocks.failure, <BlockedList contacts={contacts} />)}
        </Tabs.Content>
      </Tabs.Root>
      {/* Whoever hasn't accepted them is asked before the first message. */}
      <GuidelinesBanner />
    </Screen>
  );
}
