import { useUnreadMessages } from '../../features/chat/thread/use-thread.ts';
import { useContactCounts } from '../../features/friends/use-contact-counts.ts';

/** What waits for the user in Social, and the address of its tab. */
export function useSocialAddress() {
  const unread = useUnreadMessages();
  const { requests } = useContactCounts();
  const tab = unread > 0 ? '?tab=chat' : requests > 0 ? '?tab=requests' : '';
  return { address: `/social${tab}`, unread, requests };
}
