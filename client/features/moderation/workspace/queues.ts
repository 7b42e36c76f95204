import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { listAllWarnings, listQueue } from '#shared/moderation/admin-contract.ts';
import { QUEUE_MAX } from '#shared/moderation/rules.ts';
import { call } from '../../../platform/http/api.ts';

/** Other moderators decide, too. */
const LIVE = { placeholderData: keepPreviousData, staleTime: 0, refetchInterval: 15_000 } as const;
const WAITING = { appeal: 'pending', sort: 'oldest', limit: QUEUE_MAX } as const;

/** The reports to decide. */
export const useReportQueue = () =>
  useQuery({ queryKey: ['admin', 'report-queue'], queryFn: () => call(listQueue), ...LIVE });

/** The appeals to answer. */
export const useAppealQueue = () =>
  useQuery({
    queryKey: ['admin', 'user-warnings', 'appeals'],
    queryFn: () => call(listAllWarnings, { query: WAITING }),
    ...LIVE,
  });
