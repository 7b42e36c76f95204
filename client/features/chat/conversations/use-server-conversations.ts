import { useQuery } from '@tanstack/react-query';
import { listConversations } from '#shared/chat/contract.ts';
import { CONVERSATIONS_EVERY_MS, previewOf } from '#shared/chat/rules.ts';
import { call } from '../../../platform/http/api.ts';
import { useUser } from '../../../platform/session/use-auth.tsx';
import type { ShownConversation } from '../types.ts';

/** Polls the conversations from the server, for a device whose documents are unavailable. `isLoading` until the first answer or failure. */
export function useServerConversations(isWanted: boolean): {
  listed: readonly ShownConversation[] | null;
  isLoading: boolean;
} {
  const user = useUser();
  const { data, isLoading } = useQuery({
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
  return { listed: (isWanted && data) || null, isLoading };
}
