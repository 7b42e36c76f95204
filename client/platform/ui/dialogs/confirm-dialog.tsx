import { Button } from '../buttons/button.tsx';
import { Modal } from './modal.tsx';

/** Asks for confirmation before an action that can't easily be undone. */
export function ConfirmDialog({
  open,
  title,
  description,
  yes,
  no = 'Cancel',
  isDestructive = false,
  onYes,
  onClose,
}: {
  open: boolean;
  title: string;
  description: string;
  yes: string;
  no?: string;
  /** Makes its button red. */
  isDestructive?: boolean;
  onYes: () => void;
  onClose: () => void;
}) {
  return (
    <Modal open={open} onClose={onClose} title={title} description={description}>
      <div className="actions">
        <Button look="secondary" wide onClick={onClose}>
          {no}
        </Button>
        <Button
          wide
          look={isDestructive ? 'danger' : 'primary'}
          onClick={() => {
            onYes();
            onClose();
          }}
        >
          {yes}
        </Button>
      </div>
    </Modal>
  );
}
