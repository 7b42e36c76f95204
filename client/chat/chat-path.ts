/** Where somebody talks with a friend, as a path (`client/routes.tsx`). */
export const chatPath = (friendUserId: string): string => `/chat/${friendUserId}`;
