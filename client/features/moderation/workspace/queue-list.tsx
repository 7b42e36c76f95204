import type { ReactNode } from 'react';

export interface QueueItem {
  id: string;
  title: string;
  /** Who it is about, and since when it waits. */
  detail: ReactNode;
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
      className="flex max-h-60 flex-col gap-1 overflow-y-auto xl:max-h-[calc(100dvh-14rem)]"
    >
      {items.map(({ id, title, detail, holder }) => (
        <li key={id}>
          <button
            type="button"
            aria-current={id === openId ? 'true' : undefined}
            onClick={() => onOpen(id)}
            className="flex min-h-12 w-full flex-col rounded-control border border-transparent px-2.5 py-1.5 text-left hover:bg-sunken aria-current:border-accent aria-current:bg-accent-soft"
          >
            <span className="font-bold break-words">{title}</span>
            <span className="text-sm break-words text-soft">{detail}</span>
            {holder && <span className="text-sm font-bold break-words">{holder} is on it</span>}
          </button>
        </li>
      ))}
    </ol>
  );
}
