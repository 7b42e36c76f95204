import { Modal } from '../ui/modal.tsx';
import { useOpened } from '../ui/use-dialog-param.ts';
import { ReportCase } from './admin/report-details.tsx';

/** A dialog with the report in the address, above any moderation view. */
export function ReportDialog() {
  const { opened, id, close } = useOpened();
  const isOpen = opened === 'report' && id !== null;
  return (
    <Modal open={isOpen} onClose={close} title="Report">
      {isOpen && <ReportCase key={id} id={id} onDone={close} />}
    </Modal>
  );
}
