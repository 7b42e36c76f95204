import type { ComponentType } from 'react';
import { Modal } from '../ui/dialogs/modal.tsx';
import { useCloseDialog } from '../ui/dialogs/use-close-dialog.ts';
import { Skeleton } from '../ui/feedback/skeleton.tsx';
import { lazyComponent } from './lazy-component.tsx';

/** Returns an overlay (`ClientFeature`) that shows a lazy part in a dialog. */
export function overlayDialog(
  load: () => Promise<{ default: ComponentType<{ onDone: () => void }> }>,
  texts: { title: string; description: string },
): ComponentType {
  const Part = lazyComponent(load, () => <Skeleton label="Loading…" />);
  return function OverlayDialog() {
    const close = useCloseDialog('open');
    return (
      <Modal open onClose={close} {...texts}>
        <Part onDone={close} />
      </Modal>
    );
  };
}
