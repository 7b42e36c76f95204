import type { UserWarning } from '#shared/moderation/contract.ts';
import { Appeal } from './appeal.tsx';
import { MEASURES, sinceWords, untilWords } from './measure-words.ts';
import { isAnswered } from './use-standing.ts';

/** What a moderator did, why, until when, and how to have it looked at again. */
export function Measure({ warning, userId }: { warning: UserWarning; userId: string }) {
  const until = untilWords(warning);
  const hasAnswer = isAnswered(warning);
  return (
    <div className="flex flex-col gap-3">
      <blockquote className="border-l-4 border-line-strong pl-3 break-words whitespace-pre-wrap">
        {warning.reason}
      </blockquote>
      {warning.lifted_at ? (
        !hasAnswer && <p className="font-bold">A moderator took this back.</p>
      ) : (
        <p>
          {until && <b>{until}. </b>}
          {MEASURES[warning.warning_type].meaning}
        </p>
      )}
      <p className="text-sm text-soft">
        {warning.issued_by_admin ? 'By a moderator' : 'By our rules'}, {sinceWords(warning)}
      </p>
      {(hasAnswer || !warning.lifted_at) && <Appeal warning={warning} userId={userId} />}
    </div>
  );
}
