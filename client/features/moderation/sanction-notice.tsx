import { ShieldAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { useLocation } from 'react-router-dom';
import type { UserWarning } from '#shared/moderation/contract.ts';
import { useDialogParam } from '../../platform/ui/dialogs/use-dialog-param.ts';
import { SANCTIONS, untilWords } from './sanction-text.ts';
import {
  isAnswered,
  isReconsidered,
  useAccountStatus,
  WARNING_OPEN,
} from './use-account-status.ts';

/** Opens and closes the dialog of sanctions on any screen. */
export function useWarningDialog() {
  const { opened, open, close } = useDialogParam();
  return { isOpen: opened === WARNING_OPEN, open: () => open(WARNING_OPEN), close };
}

function Notice({
  title,
  button,
  children,
}: {
  title: string;
  button: string;
  children: ReactNode;
}) {
  const { open } = useWarningDialog();
  return (
    <section
      aria-label="From our moderators"
      className="relative flex items-center gap-2.5 rounded-card border-2 border-ink bg-surface px-3 py-1.5"
    >
      <ShieldAlert aria-hidden className="size-6 shrink-0" />
      <div role="status" className="min-w-0 flex-1 break-words">
        <p className="leading-snug font-bold">{title}</p>
        <div className="flex flex-wrap items-center justify-between gap-x-3">
          {children}
          {/* All of it can be tapped. */}
          <button
            type="button"
            onClick={open}
            className="min-h-6 text-sm font-bold text-accent underline underline-offset-4 after:absolute after:inset-0"
          >
            {button}
          </button>
        </div>
      </div>
    </section>
  );
}

/** Shows unacknowledged sanctions, and an active messaging restriction. */
export function SanctionNotice() {
  const { restriction, unseen } = useAccountStatus();
  const reconsidered = unseen.find(isReconsidered);
  if (reconsidered) return <ReconsideredNotice warning={reconsidered} />;
  const shown = restriction ?? unseen[0];
  if (!shown) return null;
  return (
    <Notice title={SANCTIONS[shown.warning_type].title} button="See why">
      <p className="text-sm text-soft">
        {untilWords(shown) ??
          (shown.issued_by_admin
            ? 'A moderator sent you a message.'
            : 'One of your messages was removed.')}
      </p>
    </Notice>
  );
}

/** On each screen until it is acknowledged; a chat has it beside the input. */
export function SanctionBanner() {
  const { unseen } = useAccountStatus();
  const { pathname } = useLocation();
  if (unseen.length === 0 || pathname.startsWith('/chat/')) return null;
  return (
    <div className="mx-4 mb-3 sm:mx-6">
      <SanctionNotice />
    </div>
  );
}

/** Says that a moderator revoked a sanction or answered an appeal. */
function ReconsideredNotice({ warning }: { warning: UserWarning }) {
  const isAnswer = isAnswered(warning);
  return (
    <Notice
      title={isAnswer ? 'Your appeal was answered' : 'A moderator revoked a sanction'}
      button={isAnswer ? 'Read the answer' : 'Read more'}
    >
      <p className="text-sm text-soft">
        {warning.lifted_at ? 'It no longer applies.' : 'The decision was upheld.'}
      </p>
    </Notice>
  );
}
