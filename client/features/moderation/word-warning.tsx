import { TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { BLOCKED_TEXT, WARNING_TEXT } from '#shared/moderation/contract.ts';
import type { SendOutcome } from '#shared/moderation/rules.ts';

const TEXTS = { blocked: BLOCKED_TEXT, warned: WARNING_TEXT, sent: null } satisfies Record<
  SendOutcome,
  string | null
>;

/** The word filter's result for a message: blocked, or sent with a warning. */
export function WordWarning({ outcome, action }: { outcome: SendOutcome; action: ReactNode }) {
  const text = TEXTS[outcome];
  return (
    <div role="alert" className="empty:hidden">
      {text && (
        <div className="flex gap-3 rounded-control border-2 border-ink bg-surface p-3">
          <TriangleAlert aria-hidden className="mt-0.5 size-5 shrink-0" />
          <div className="flex flex-col items-start">
            <p className="font-bold">{text}</p>
            {action}
          </div>
        </div>
      )}
    </div>
  );
}
