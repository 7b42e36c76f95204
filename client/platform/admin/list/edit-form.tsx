import type { ComponentProps } from 'react';
import { EDITED_TEXT } from '#shared/admin/paging.ts';
import { Form } from '../../forms/form.tsx';
import { Button } from '../../ui/buttons/button.tsx';
import { ErrorBanner } from '../../ui/feedback/error-banner.tsx';
import type { ConcurrentChange, useEdit } from './use-edit.ts';

/** Lists another admin's changes since the form was opened. */
function EditConflicts({
  changes,
  draft,
  labels,
  onTake,
}: {
  changes: readonly ConcurrentChange[];
  draft: Record<string, string>;
  labels: Record<string, string>;
  /** Replaces the typed value with theirs. */
  onTake: (field: string, value: string) => void;
}) {
  if (changes.length === 0) return null;
  return (
    <ErrorBanner title={EDITED_TEXT}>
      <span className="mb-2 block">Your changes are still here. Save again to keep them.</span>
      <span role="list" className="flex flex-col gap-2">
        {changes.map(({ field, was, now }) => (
          <span key={field} role="listitem" className="flex flex-col items-start gap-1">
            <span>
              <b>{labels[field] ?? field}</b>: {was || 'nothing'} → {now || 'nothing'}
            </span>
            {draft[field] === now ? (
              <span className="text-sm text-soft">Updated</span>
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

/** The form of a row that other admins may edit at the same time. */
export function EditForm<Fields extends Record<string, string>>({
  edit: { form, draft, set, conflicts },
  labels,
  children,
  ...rest
}: Omit<ComponentProps<typeof Form>, 'form'> & {
  edit: Pick<
    ReturnType<typeof useEdit<{ version: number }, Fields>>,
    'form' | 'draft' | 'set' | 'conflicts'
  >;
  labels: Record<string, string>;
}) {
  return (
    <Form form={form} {...rest}>
      <EditConflicts changes={conflicts} draft={draft} labels={labels} onTake={set} />
      {children}
    </Form>
  );
}
