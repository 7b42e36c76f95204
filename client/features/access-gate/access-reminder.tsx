import { CalendarClock } from 'lucide-react';
import { useSearchParams } from 'react-router-dom';
import { toast } from 'sonner';
import { ACCESS_DAYS } from '#shared/access-gate/rules.ts';
import { formatLongDate } from '#shared/dates.ts';
import type { CurrentUser } from '#shared/session/contract.ts';
import { useAuthActions } from '../../platform/session/use-auth.tsx';
import { ButtonLink } from '../../platform/ui/buttons/button.tsx';
import { Modal } from '../../platform/ui/dialogs/modal.tsx';
import { useCloseDialog } from '../../platform/ui/dialogs/use-close-dialog.ts';
import { DonationPanel } from '../payments/donation-panel.tsx';
import { CodeForm } from './code-form.tsx';
import { setAccessVerified } from './flags.ts';
import { RENEW_OPEN, endsSoon } from './renewal.ts';

/** Says that access ends soon, and renews it in place. */
export default function AccessReminder({ user }: { user: CurrentUser }) {
  const { letIn } = useAuthActions();
  const [search] = useSearchParams();
  const close = useCloseDialog('open');

  function renewed(_code: string, until: string) {
    setAccessVerified();
    letIn(until);
    toast(`You have access until ${formatLongDate(until)}.`);
    void close();
  }

  return (
    <>
      {endsSoon(user) && user.access_expires_at && (
        <section
          aria-label="Access"
          className="flex flex-wrap items-center gap-x-4 gap-y-2 rounded-card border-2 border-accent bg-accent-soft p-4"
        >
          <CalendarClock aria-hidden className="size-6 shrink-0 text-accent" />
          <p className="min-w-0 flex-1 basis-52 font-bold">
            Your access ends on {formatLongDate(user.access_expires_at)}.
          </p>
          <ButtonLink to={`?open=${RENEW_OPEN}`}>Renew</ButtonLink>
        </section>
      )}
      <Modal
        open={search.get('open') === RENEW_OPEN}
        onClose={close}
        title="Renew your access"
        description={`A code or a donation adds ${ACCESS_DAYS} days. You keep the days you have left.`}
      >
        <div className="flex flex-col gap-5">
          <CodeForm onGranted={renewed} />
          <DonationPanel onGranted={renewed} />
        </div>
      </Modal>
    </>
  );
}
