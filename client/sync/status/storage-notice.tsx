import { TriangleAlert } from 'lucide-react';
import { RISK } from './sync-status-text.ts';
import { useSyncState } from '../documents/use-document.ts';

/** Says plainly when this browser does not keep what is edited here. */
export function StorageNotice() {
  const risk = RISK[useSyncState().storage];
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
