const CHAT = '/chat/';

/** Where somebody talks with a friend, as a path (`client/routes.tsx`). */
export const chatPath = (friendUserId: string): string => CHAT + friendUserId;

/** Whether the app shows a chat: of the screens behind the gate the one that has nothing to show before documents are open. */
export const isChatShown = (): boolean => location.pathname.startsWith(CHAT);
