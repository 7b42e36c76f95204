import { Flag } from 'lucide-react';
import { useState } from 'react';
import { toast } from 'sonner';
import { BLOCK_REASON_MAX } from '#shared/blocks/rules.ts';
import type { Contact } from '#shared/friends/document.ts';
import { lazyComponent } from '../../platform/lazy/lazy-component.tsx';
import { Button } from '../../platform/ui/buttons/button.tsx';
import { Modal } from '../../platform/ui/dialogs/modal.tsx';
import { MessageField } from '../../platform/ui/inputs/message-field.tsx';
import { useContactActions } from '../friends/use-contacts.ts';

const ReportModal = lazyComponent(() => import('../moderation/admin/report-modal.tsx'));

/** Explains what blocking means, asks for a reason, and blocks; the report is beside it, because a block removes the chat. */
export function BlockDialog({
  open,
  person,
  onDone,
  onClose,
}: {
  open: boolean;
  person: Pick<Contact, 'user_id' | 'name'>;
  /** They are blocked. */
  onDone: () => void;
  onClose: () => void;
}) {
  const { block } = useContactActions();
  const [reason, setReason] = useState('');
  const [isReporting, setReporting] = useState(false);
  async function blockNow() {
    if (!(await block(person, reason))) return;
    toast(`${person.name} is blocked`, {
      description: 'You can unblock them under Social, Blocked.',
    });
    onDone();
  }
  return (
    <>
      <Modal open={open && !isReporting} onClose={onClose} title="Block User">
        <div className="flex flex-col gap-3">
          <p>
            <strong>Block {person.name}?</strong> You’ll no longer be friends, your messages to each
            other will be removed, you won’t see each other nearby, and they can’t contact you. They
            won’t be notified.
          </p>
          <MessageField
            label="Reason"
            value={reason}
            onChange={setReason}
            max={BLOCK_REASON_MAX}
            rows={2}
          />
          <Button
            look="quiet"
            className="-ml-5 self-start"
            onClick={() => setReporting(true)}
            Icon={Flag}
          >
            Report {person.name} first
          </Button>
          <div className="actions">
            <Button look="secondary" wide onClick={onClose}>
              Cancel
            </Button>
            <Button wide look="danger" onClick={() => void blockNow()}>
              Block
            </Button>
          </div>
        </div>
      </Modal>
      {isReporting && (
        <ReportModal
          reported={{ type: 'person' }}
          text={null}
          person={person}
          onClose={() => setReporting(false)}
        />
      )}
    </>
  );
}
