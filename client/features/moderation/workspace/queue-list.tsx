import { TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';

export interface QueueItem {
  id: string;
  title: string;
  /** Who it is about, and since when it waits. */
  detail: ReactNode;
  /** Whether it is of the gravest. */
  isGrave?: boolean;
  /** Who else works on it; null if it is free. */
  holder: string | null;
}

/** What waits, in the order in which it is decided. */
export function QueueList({
  label,
  items,
  openId,
  onOpen,
}: {
  label: string;
  items: readonly QueueItem[];
  openId: string | null;
  onOpen: (id: string) => void;
}) {
  return (
    <ol
      aria-label={label}
      className="flex max-h-60 flex-col gap-1 overflow-y-auto xl:max-h-[calc(100dvh-27rem)]"
    >
      {items.map(({ id, title, detail, isGrave, holder }) => (
        <li key={id}>
          <button
            type="button"
            aria-current={id === openId ? 'true' : undefined}
            onClick={() => onOpen(id)}
            className="flex min-h-12 w-full flex-col rounded-control border border-transparent px-2.5 py-1.5 text-left hover:bg-sunken aria-current:border-accent aria-current:bg-accent-soft"
          >
            <span className="flex items-start gap-1.5 font-bold break-words">
              {isGrave && (
                <TriangleAlert aria-hidden className="mt-0.5 size-5 shrink-0 text-poor" />
              )}
              <span className="min-w-0">{title}</span>
            </span>
            <span className="text-sm break-words text-soft">{detail}</span>
            {holder && <span className="text-sm font-bold break-words">{holder} is on it</span>}
          </button>
        </li>
      ))}
    </ol>
  );
}
