import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { messageOf } from '../../http/error-message.ts';
import { Modal } from '../../ui/dialogs/modal.tsx';
import { ErrorBanner } from '../../ui/feedback/error-banner.tsx';
import { Skeleton } from '../../ui/feedback/skeleton.tsx';

interface Asking<Answer> {
  /** Query key of answers of this kind, after 'admin'. */
  queryKey: readonly string[];
  /** The row's ID; null while the dialog is closed. */
  id: string | null;
  ask: (id: string) => Promise<Answer>;
  /** Label while loading. */
  waiting: string;
  children: (answer: Answer) => ReactNode;
}

/** A dialog with the form or the details of a row, freshly loaded. */
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
  const asked = useQuery({
    queryKey: ['admin', ...queryKey, id],
    queryFn: () => ask(id),
    staleTime: 0,
    gcTime: 0,
    // An edit is compared with others' changes when saving, not while typing.
    refetchOnWindowFocus: false,
  });
  const { data, error } = asked;
  if (error && !data) return <ErrorBanner>{messageOf(error)}</ErrorBanner>;
  if (!data) return <Skeleton label={waiting} lines={5} asked={asked} />;
  return children(data);
}
