import { useState, type FormEvent } from 'react';
import { toast } from 'sonner';
import { issueWarning } from '#shared/moderation/admin-contract.ts';
import { sayFailure } from '../admin/say-failure.ts';
import { call } from '../api.ts';
import { queries } from '../queries.ts';
import { Button } from '../ui/button.tsx';
import { useRequestKey } from '../use-problems.ts';
import { MeasureFields, measureOf, noMeasure } from './measure-fields.tsx';

/** Does something about somebody whom nobody reported. */
export function IssueForm({ userId, onDone }: { userId: string; onDone: () => void }) {
  const [draft, setDraft] = useState(() => noMeasure('warning'));
  const [sending, setSending] = useState(false);
  const { keyFor } = useRequestKey();

  async function send(event: FormEvent) {
    event.preventDefault();
    const measure = measureOf(draft);
    if (!measure) return;
    setSending(true);
    try {
      const body = { user_id: userId, ...measure };
      await call(issueWarning, { body, idempotencyKey: keyFor(body) });
      toast.success('The person was told');
      void queries.invalidateQueries({ queryKey: ['admin'] });
      onDone();
    } catch (error) {
      sayFailure(error);
      setSending(false);
    }
  }

  return (
    <form onSubmit={(event) => void send(event)} className="flex flex-col gap-4">
      <MeasureFields draft={draft} onChange={setDraft} />
      <Button type="submit" wide pending={sending && 'Sending…'}>
        Do it
      </Button>
    </form>
  );
}
