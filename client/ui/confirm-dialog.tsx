import { Button } from './button.tsx';
import { Modal } from './modal.tsx';

/** Asks before something is done that cannot simply be taken back. */
export function ConfirmDialog({
  open,
  title,
  description,
  yes,
  no = 'Cancel',
  onYes,
  onClose,
}: {
  open: boolean;
  title: string;
  description: string;
  yes: string;
  no?: string;
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
