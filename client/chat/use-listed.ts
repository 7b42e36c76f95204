import { useQuery } from '@tanstack/react-query';
import { CONVERSATIONS_EVERY_MS, listConversations } from '#shared/chat/contract.ts';
import { previewOf } from '#shared/chat/rules.ts';
import { call } from '../api.ts';
import { useUser } from '../session/use-auth.tsx';
import type { ShownConversation } from './shown.ts';

/** The conversations as the server lists them, for a device whose documents are not to be had: asked for again and again. */
export function useListed(isWanted: boolean): readonly ShownConversation[] | null {
  const user = useUser();
  const { data } = useQuery({
    queryKey: ['conversations', user?.id],
    queryFn: () => call(listConversations),
    enabled: isWanted,
    refetchInterval: CONVERSATIONS_EVERY_MS,
    select: ({ conversations }) =>
      conversations.map(
        ({
          friend_display_name: name,
          last_message,
          is_own: isOwn,
          ...rest
        }): ShownConversation => ({
          ...rest,
          name,
          preview: previewOf(last_message),
          isOwn,
        }),
      ),
  });
  return (isWanted && data) || null;
}
