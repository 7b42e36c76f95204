import { ChevronLeft, ChevronRight } from 'lucide-react';
import { useEffect, useRef, type ReactNode } from 'react';
import { IconButton } from '../../../platform/ui/buttons/icon-button.tsx';
import { Summary } from '../../../platform/ui/layout/summary.tsx';
import { QueueList, type QueueItem } from './queue-list.tsx';

/** The queue, what is open and the decision: side by side on a wide screen, else one after another. */
export function Workspace({
  label,
  items,
  waiting,
  openId,
  onOpen,
  title,
  evidence,
  decision,
  hasKeys = false,
  keys = null,
}: {
  /** What waits, such as 'Reports to decide'. */
  label: string;
  items: readonly QueueItem[];
  /** How many wait, in words. */
  waiting: string;
  openId: string | null;
  onOpen: (id: string) => void;
  /** Of what is open. */
  title: string;
  evidence: ReactNode;
  decision: ReactNode;
  /** Whether keys turn. */
  hasKeys?: boolean;
  /** The setting of the keys, above the queue. */
  keys?: ReactNode;
}) {
  const at = items.findIndex(({ id }) => id === openId);
  const heading = useRef<HTMLHeadingElement>(null);
  const shown = useRef<string | null>(null);
  // Another report, by itself or by a key: its beginning is what one reads next.
  useEffect(() => {
    if (openId !== null && shown.current !== null && shown.current !== openId)
      heading.current?.focus();
    shown.current = openId;
  }, [openId]);
  const turn = (by: number) => {
    const next = items[at + by];
    if (next) onOpen(next.id);
  };
  const list = <QueueList label={label} items={items} openId={openId} onOpen={onOpen} />;
  return (
    <div className="flex flex-col gap-4 xl:grid xl:grid-cols-[13rem_minmax(0,1fr)_20.5rem] xl:items-start">
      <section aria-label="Queue" className="min-w-0 xl:sticky xl:top-4">
        <div className="flex min-h-11 items-center justify-between gap-2">
          <p role="status" className="font-bold">
            {waiting}
          </p>
          {items.length > 1 && openId !== null && (
            <div className="flex">
              <IconButton
                Icon={ChevronLeft}
                label={hasKeys ? 'Previous (K)' : 'Previous'}
                disabled={at <= 0}
                onClick={() => turn(-1)}
              />
              <IconButton
                Icon={ChevronRight}
                label={hasKeys ? 'Next (J)' : 'Next'}
                disabled={at >= items.length - 1}
                onClick={() => turn(1)}
              />
            </div>
          )}
        </div>
        {keys}
        <div className="hidden xl:block">{list}</div>
        {items.length > 1 && (
          <details className="xl:hidden">
            <Summary>Show the queue</Summary>
            {list}
          </details>
        )}
      </section>
      {openId !== null && (
        <>
          <section
            aria-labelledby="case-title"
            className="min-w-0 rounded-card border border-line bg-surface p-4 shadow-lift"
          >
            <h2
              id="case-title"
              ref={heading}
              tabIndex={-1}
              className="mb-3 scroll-mt-4 text-lg font-bold break-words"
            >
              {title}
            </h2>
            {evidence}
          </section>
          {/* On a phone its parts stand in the column themselves, so that the choices stick to the bottom. */}
          <div className="contents min-w-0 xl:sticky xl:top-4 xl:block">{decision}</div>
        </>
      )}
    </div>
  );
}
