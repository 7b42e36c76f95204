import type { ReactNode } from 'react';
import { Button } from '../buttons/button.tsx';
import { Modal } from './modal.tsx';

/** Asks for confirmation before an action that can't easily be undone. */
export function ConfirmDialog({
  open,
  title,
  description,
  yes,
  no = 'Cancel',
  isHarmless = false,
  children,
  onYes,
  onClose,
}: {
  open: boolean;
  title: string;
  description: string;
  yes: string;
  no?: string;
  /** Its button is red otherwise. */
  isHarmless?: boolean;
  /** What else can be done, above the buttons. */
  children?: ReactNode;
  onYes: () => void;
  onClose: () => void;
}) {
  return (
    <Modal open={open} onClose={onClose} title={title} description={description}>
      {children}
      <div className="actions">
        <Button look="secondary" wide onClick={onClose}>
          {no}
        </Button>
        <Button
          wide
          look={isHarmless ? 'primary' : 'danger'}
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
