import { toast } from 'sonner';
import { ACCESS_DAYS } from '#shared/access-gate/rules.ts';
import { formatLongDate } from '#shared/dates.ts';
import { useAuthActions } from '../../platform/session/use-auth.tsx';
import { Modal } from '../../platform/ui/dialogs/modal.tsx';
import { useCloseDialog } from '../../platform/ui/dialogs/use-close-dialog.ts';
import { DonationPanel } from '../payments/donation-panel.tsx';
import { CodeForm } from './code-form.tsx';
import { setAccessVerified } from './flags.ts';

/** A dialog on any screen that renews the user's access in place. */
export default function RenewalModal() {
  const { letIn } = useAuthActions();
  const close = useCloseDialog('open');

  function renewed(_code: string, until: string) {
    setAccessVerified();
    letIn(until);
    toast(`You have access until ${formatLongDate(until)}.`);
    void close();
  }

  return (
    <Modal
      open
      onClose={close}
      title="Renew your access"
      description={`A code or a donation adds ${ACCESS_DAYS} days. You keep the days you have left.`}
    >
      <div className="flex flex-col gap-5">
        <CodeForm onGranted={renewed} />
        <DonationPanel onGranted={renewed} />
      </div>
    </Modal>
  );
}
