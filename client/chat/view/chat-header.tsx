import { ArrowLeft, Search } from 'lucide-react';
import { formatDate } from '#shared/dates.ts';
import type { Contact } from '#shared/friends/document.ts';
import { ProfileLink } from '../../profile/profile-link.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { IconLink } from '../../ui/icon-link.tsx';
import { ChatMenu, type ChatDialog } from './chat-menu.tsx';

/** With whom one talks, and what can be done about it. */
export function ChatHeader({
  friend,
  name,
  isOnline,
  isSearching,
  onSearch,
  onOpen,
}: {
  friend: Contact;
  name: string;
  isOnline: boolean;
  isSearching: boolean;
  onSearch: () => void;
  onOpen: (dialog: ChatDialog) => void;
}) {
  return (
    <div className="flex items-center gap-1 border-b border-line px-1 py-1.5 max-[17rem]:flex-wrap max-[17rem]:justify-between sm:px-3">
      <IconLink Icon={ArrowLeft} label="Back to all chats" to="/social?tab=chat" />
      {/* In large text the name has a line of its own. */}
      <div className="min-w-0 flex-1 max-[17rem]:order-last max-[17rem]:basis-full max-[17rem]:px-2">
        <div className="flex items-center gap-2">
          <h1 tabIndex={-1} className="min-w-0 text-lg font-bold">
            <ProfileLink
              userId={friend.user_id}
              className="-mt-2 -mb-1 block truncate pt-2 pb-1 leading-8 underline-offset-4 hover:underline"
            >
              {name}
            </ProfileLink>
          </h1>
          <span className="flex shrink-0 items-center gap-1.5 text-sm empty:hidden">
            {isOnline && (
              <>
                <span aria-hidden className="size-2.5 rounded-full bg-accent" />
                online
              </>
            )}
          </span>
        </div>
        <p className="truncate text-sm text-soft low:hidden">
          Friends since {formatDate(friend.at)}
        </p>
      </div>
      <IconButton
        Icon={Search}
        label="Search this chat"
        aria-pressed={isSearching}
        onClick={onSearch}
        className="aria-pressed:bg-accent-soft aria-pressed:text-accent"
      />
      <ChatMenu onOpen={onOpen} />
    </div>
  );
}
