import { useParams } from 'react-router-dom';
import { NO_FRIEND_INFORMATION } from '#shared/chat/contract.ts';
import { useCircle } from '../friends/use-circle.ts';
import { ErrorBanner } from '../ui/error-banner.tsx';
import { Screen } from '../ui/screen.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { Chat } from './chat.tsx';
import { ChatUnavailable } from './chat-unavailable.tsx';

/** One-to-one chat with a friend. */
export default function ChatPage() {
  const { friendUserId = '' } = useParams();
  const { status, circle } = useCircle();
  const friend = circle.friends.find(({ user_id }) => user_id === friendUserId);
  if (friend) return <Chat key={friendUserId} friend={friend} />;
  if (status === 'ready') return <ChatUnavailable />;
  return (
    <Screen title="Chat" className="flex flex-col gap-4 px-4 py-2 sm:px-6">
      <h1 tabIndex={-1} className="text-2xl font-bold">
        Chat
      </h1>
      {status === 'loading' ? (
        <Skeleton label="Your friend is on the way" lines={4} />
      ) : (
        <ErrorBanner title={NO_FRIEND_INFORMATION}>
          It needs the network once. It will show here as soon as it comes.
        </ErrorBanner>
      )}
    </Screen>
  );
}
