import { EDITED_WORDS } from '#shared/admin/paging.ts';
import { Button } from '../ui/button.tsx';
import { ErrorBanner } from '../ui/error-banner.tsx';
import type { Meanwhile } from './use-edit.ts';

/** Shows what another admin changed while a form was open, beside what is typed in it. */
export function EditedMeanwhile({
  changes,
  draft,
  labels,
  onTake,
}: {
  changes: readonly Meanwhile[];
  draft: Record<string, string>;
  labels: Record<string, string>;
  /** Puts theirs in the place of one's own. */
  onTake: (field: string, value: string) => void;
}) {
  if (changes.length === 0) return null;
  return (
    <ErrorBanner title={EDITED_WORDS}>
      <span className="mb-2 block">
        What you typed is still here, and is saved when you save again.
      </span>
      <span role="list" className="flex flex-col gap-2">
        {changes.map(({ field, was, now }) => (
          <span key={field} role="listitem" className="flex flex-col items-start gap-1">
            <span>
              <b>{labels[field] ?? field}</b>: {was || 'nothing'} → {now || 'nothing'}
            </span>
            {draft[field] === now ? (
              <span className="text-sm text-soft">Taken over</span>
            ) : (
              <Button
                look="secondary"
                className="min-h-11! px-4!"
                onClick={() => onTake(field, now)}
              >
                Use theirs<span className="sr-only"> for {labels[field] ?? field}</span>
              </Button>
            )}
          </span>
        ))}
      </span>
    </ErrorBanner>
  );
}
