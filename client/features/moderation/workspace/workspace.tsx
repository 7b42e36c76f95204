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
  /** The setting of the keys, below the queue. */
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
  const hasQueue = items.length > 1;
  const list = <QueueList label={label} items={items} openId={openId} onOpen={onOpen} />;
  return (
    <div className="flex flex-col gap-2 sm:gap-4 xl:grid xl:grid-cols-[15.5rem_minmax(0,1fr)_19.5rem] xl:items-start">
      <section aria-label="Queue" className="min-w-0 xl:sticky xl:top-4">
        <div className="relative flex min-h-11 items-start gap-2 xl:items-center">
          <p role="status" className={`font-bold ${hasQueue ? 'max-xl:sr-only' : 'py-2.5'}`}>
            {waiting}
          </p>
          {hasQueue && (
            <details className="min-w-0 flex-1 xl:hidden">
              <Summary className="font-bold">
                <span>{waiting}</span>
                <span className="sr-only">Show the queue</span>
              </Summary>
              {list}
            </details>
          )}
          {hasQueue && openId !== null && (
            <div className="flex max-xl:absolute max-xl:top-0 max-xl:right-0 xl:ml-auto">
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
        <div className="hidden xl:block">
          {list}
          {keys}
        </div>
      </section>
      {openId !== null && (
        <>
          <section
            aria-labelledby="case-title"
            className="min-w-0 rounded-card border border-line bg-surface p-4 shadow-lift max-sm:py-3"
          >
            <h2
              id="case-title"
              ref={heading}
              tabIndex={-1}
              className="mb-1.5 scroll-mt-4 text-lg font-bold break-words sm:mb-3"
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
