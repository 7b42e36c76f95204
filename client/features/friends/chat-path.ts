const CHAT = '/chat/';

/** Returns the path of the chat with a friend (`client/app/features.ts`). */
export const chatPath = (friendUserId: string): string => CHAT + friendUserId;

/** Whether the app shows a chat: the only member screen that has nothing to show before documents are open. */
export const isChatShown = (): boolean => location.pathname.startsWith(CHAT);
