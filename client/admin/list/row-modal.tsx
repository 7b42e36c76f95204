import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ErrorBanner } from '../../ui/error-banner.tsx';
import { Modal } from '../../ui/modal.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';

interface Asking<Answer> {
  /** Of all answers of this kind, behind 'admin'. */
  queryKey: readonly string[];
  /** Which row; null while the dialog is closed. */
  id: string | null;
  ask: (id: string) => Promise<Answer>;
  /** What is said meanwhile. */
  waiting: string;
  children: (answer: Answer) => ReactNode;
}

/** The form or the details of a row as it is now, not as the list had it. */
export function RowModal<Answer>({
  title,
  id,
  onClose,
  ...asking
}: Asking<Answer> & { title: string; onClose: () => void }) {
  return (
    <Modal open={id !== null} onClose={onClose} title={title}>
      {id !== null && <Row key={id} id={id} {...asking} />}
    </Modal>
  );
}

function Row<Answer>({ queryKey, id, ask, waiting, children }: Asking<Answer> & { id: string }) {
  const { data, error } = useQuery({
    queryKey: ['admin', ...queryKey, id],
    queryFn: () => ask(id),
    staleTime: 0,
    gcTime: 0,
    // Whoever edits is told of changes when saving, not while typing.
    refetchOnWindowFocus: false,
  });
  if (error && !data) return <ErrorBanner>{error.message}</ErrorBanner>;
  if (!data) return <Skeleton label={waiting} lines={5} />;
  return children(data);
}
