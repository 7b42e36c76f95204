import type { UserWarning } from '#shared/moderation/contract.ts';
import { useNow } from '../use-now.ts';
import { Appeal } from './appeal.tsx';
import { isOver, meaningOf, sinceWords, untilWords } from './sanction-text.ts';
import { isAnswered } from './use-account-status.ts';

/** A sanction with its reason, its end, and its appeal. */
export function Sanction({ warning, userId }: { warning: UserWarning; userId: string }) {
  const now = useNow();
  const isPast = isOver(warning, now);
  const until = isPast ? null : untilWords(warning);
  const mayAppeal = !warning.lifted_at && !(isPast && !warning.appeal);
  const hasAnswer = isAnswered(warning);
  return (
    <div className="flex flex-col gap-3">
      <blockquote className="border-l-4 border-line-strong pl-3 break-words whitespace-pre-wrap">
        {warning.reason}
      </blockquote>
      {warning.lifted_at ? (
        !hasAnswer && <p className="font-bold">A moderator revoked this.</p>
      ) : (
        <p>
          {until && <b>{until}. </b>}
          {meaningOf(warning, now)}
        </p>
      )}
      <p className="text-sm text-soft">
        {warning.issued_by_admin ? 'Issued by a moderator' : 'Issued automatically'},{' '}
        {sinceWords(warning)}
      </p>
      {(hasAnswer || mayAppeal) && <Appeal warning={warning} userId={userId} />}
    </div>
  );
}
