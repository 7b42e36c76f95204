import { useQuery } from '@tanstack/react-query';
import { getUserProfile } from '#shared/profile/contract.ts';
import { call } from '../../platform/http/api.ts';
import { useUser } from '../../platform/session/use-auth.tsx';

/** Returns another user's profile from the server, as the reader may see it. */
export const useUserProfile = (
  userId: string,
  options: { enabled?: boolean; staleTime?: number } = {},
) =>
  useQuery({
    queryKey: ['profile', useUser()?.id, userId],
    queryFn: () => call(getUserProfile, { params: { id: userId } }),
    ...options,
  });
