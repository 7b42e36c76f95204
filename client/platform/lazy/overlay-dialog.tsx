import { Suspense, type ComponentType } from 'react';
import { Modal } from '../ui/dialogs/modal.tsx';
import { useCloseDialog } from '../ui/dialogs/use-close-dialog.ts';
import { Skeleton } from '../ui/feedback/skeleton.tsx';

/** Returns an overlay (`ClientFeature`) that shows a lazy part in a dialog. */
export const overlayDialog = (
  Part: ComponentType<{ onDone: () => void }>,
  texts: { title: string; description: string },
): ComponentType =>
  function OverlayDialog() {
    const close = useCloseDialog('open');
    return (
      <Modal open onClose={close} {...texts}>
        <Suspense fallback={<Skeleton label="Loading…" />}>
          <Part onDone={close} />
        </Suspense>
      </Modal>
    );
  };
