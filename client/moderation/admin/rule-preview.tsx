import type { z } from 'zod';
import { formatDateTime } from '#shared/dates.ts';
import type { tryRule } from '#shared/moderation/rules-contract.ts';

export type Trial = z.output<(typeof tryRule)['answer']>;

/** The messages that a rule would have matched. */
export function TrialResult({ trial }: { trial: Trial }) {
  const { checked, found, is_partial, samples } = trial;
  return (
    <div role="status" className="flex flex-col gap-2 rounded-control bg-sunken p-3">
      <p className="font-bold tabular-nums">
        Matches {found} of the newest {checked} messages
        {is_partial && ' (older ones weren’t checked)'}
      </p>
      {samples.length > 0 && (
        <ul className="flex flex-col gap-1.5 text-sm">
          {samples.map(({ message_text, created_at }, i) => (
            <li key={i} className="break-words">
              <span className="line-clamp-2">{message_text}</span>
              <span className="text-soft">{formatDateTime(created_at)}</span>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
