import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ErrorBanner } from '../ui/error-banner.tsx';
import { Skeleton } from '../ui/skeleton.tsx';

/** A row as it is now, not as the list had it, for a form or its details. @param waiting what is said meanwhile */
export function AsItIs<Answer>({
  queryKey,
  ask,
  waiting,
  children,
}: {
  queryKey: readonly string[];
  ask: () => Promise<Answer>;
  waiting: string;
  children: (answer: Answer) => ReactNode;
}) {
  const { data, error } = useQuery({
    queryKey,
    queryFn: ask,
    staleTime: 0,
    gcTime: 0,
    // Whoever edits is told of changes when saving, not while typing.
    refetchOnWindowFocus: false,
  });
  if (error && !data) return <ErrorBanner>{error.message}</ErrorBanner>;
  if (!data) return <Skeleton label={waiting} lines={5} />;
  return children(data);
}
