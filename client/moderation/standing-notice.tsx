import { ShieldAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from '../ui/button.tsx';
import { useOpened } from '../use-opened.ts';
import { MEASURES, untilWords } from './measure-words.ts';
import { useStanding, WARNING_OPEN } from './use-standing.ts';

/** Opens and closes the dialog over whatever screen there is. */
export function useWarningDialog() {
  const { opened, open, close } = useOpened();
  return { isOpen: opened === WARNING_OPEN, open: () => open(WARNING_OPEN), close };
}

function Notice({ title, children }: { title: string; children?: ReactNode }) {
  const { open } = useWarningDialog();
  return (
    <section
      aria-label="From our moderators"
      className="flex flex-wrap items-center gap-x-3 gap-y-1 rounded-card border-2 border-ink bg-surface py-2 pr-2 pl-4"
    >
      <ShieldAlert aria-hidden className="size-6 shrink-0" />
      <div role="status" className="min-w-0 flex-1 basis-48 py-1">
        <p className="font-bold">{title}</p>
        {children}
      </div>
      <Button look="secondary" onClick={open}>
        Read why
      </Button>
    </section>
  );
}

/** Says on the dashboard, and where one would write, what a moderator did, until it is acknowledged, and that one may not write, as long as that holds. */
export function StandingNotice() {
  const { restriction, unseen } = useStanding();
  const shown = restriction ?? unseen[0];
  if (!shown) return null;
  return (
    <Notice title={MEASURES[shown.warning_type].title}>
      <p className="text-soft">
        {untilWords(shown) ??
          (shown.issued_by_admin
            ? 'A moderator wrote to you.'
            : 'A message of yours was taken away.')}
      </p>
    </Notice>
  );
}
