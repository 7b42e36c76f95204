import { CloudCheck, CloudOff, RefreshCw, TriangleAlert } from 'lucide-react';
import { useEffect, useRef, useState, type RefObject } from 'react';
import { lazyComponent } from '../../lazy/lazy-component.tsx';
import { useSyncState } from '../documents/use-document.ts';
import { useUnsent } from '../outbox/use-outbox.ts';
import { riskWords, syncWords, type SyncWords } from '../state/sync-status-text.ts';

// Loaded on demand: even closed, a popover would render twice before the dashboard is on the screen.
const SyncStatusPopover = lazyComponent(() => import('./sync-status-popover.tsx'));

const ICONS = { offline: CloudOff, syncing: RefreshCw, saved: CloudCheck, refused: TriangleAlert };

/** Shorter states would only flicker. */
const SETTLE_MS = 400;

/** Shows whether all changes are saved, with an explanation on tap. */
export function SyncChip() {
  const words = useSettled(syncWords(useSyncState(), useUnsent()));
  const [isOpen, setIsOpen] = useState(false);
  const chip = useRef<HTMLButtonElement>(null);
  const Icon = words.atRisk ? TriangleAlert : ICONS[words.state];
  return (
    <>
      <button
        ref={chip}
        type="button"
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onClick={() => setIsOpen(!isOpen)}
        data-sync={words.state}
        className="inline-flex min-h-11 max-w-full items-center gap-1.5 md:min-w-28 md:justify-end rounded-full px-3 text-sm font-bold text-soft hover:bg-sunken data-[sync=offline]:text-ink"
      >
        <Icon aria-hidden className="size-4 shrink-0" />
        <span aria-live="polite" className="whitespace-nowrap">
          <span className={words.toSend > 0 ? 'sr-only sm:not-sr-only' : ''}>{words.label}</span>
          {words.toSend > 0 && (
            <>
              <span className="sr-only sm:not-sr-only"> · </span>
              <span>{words.toSend} to send</span>
            </>
          )}
        </span>
      </button>
      {isOpen && (
        <SyncStatusPopover
          chip={chip as RefObject<HTMLButtonElement>}
          onClose={() => setIsOpen(false)}
        >
          {words.explanation}
        </SyncStatusPopover>
      )}
    </>
  );
}

/** Delays new text by `SETTLE_MS`, except that whatever claims that changes are saved ends at once. */
function useSettled(words: SyncWords): SyncWords {
  const [settled, setSettled] = useState(words);
  const { state, label, toSend, explanation, atRisk, claimsSaved } = words;
  useEffect(() => {
    const next = { state, label, toSend, explanation, atRisk, claimsSaved };
    const timer = setTimeout(() => setSettled(next), SETTLE_MS);
    return () => clearTimeout(timer);
  }, [state, label, toSend, explanation, atRisk, claimsSaved]);
  return settled.claimsSaved ? words : settled;
}

/** Warns when this browser does not store edits. */
export function StorageNotice() {
  const risk = riskWords(useSyncState());
  return (
    <div role="status" className="empty:hidden">
      {risk && (
        <p className="mx-4 mb-3 flex gap-2 rounded-control border border-line-strong bg-surface p-3 sm:mx-6">
          <TriangleAlert aria-hidden className="mt-0.5 size-5 shrink-0" />
          {risk}
        </p>
      )}
    </div>
  );
}
