import { useState } from 'react';
import { lazyComponent } from '../../platform/lazy/lazy-component.tsx';
import { Modal } from '../../platform/ui/dialogs/modal.tsx';
import { Skeleton } from '../../platform/ui/feedback/skeleton.tsx';

const HazardForm = lazyComponent(
  async () => ({
    default: (await import('./hazard-form.tsx')).HazardForm,
  }),
  () => <Skeleton label="Loading form…" />,
);

/** The dialog in which a hazard or a lost dog is reported. @param isHere whether it starts with where this device is */
export function HazardModal({
  isOpen,
  onClose,
  isHere = false,
}: {
  isOpen: boolean;
  onClose: () => void;
  isHere?: boolean;
}) {
  const [isLostDog, setLostDog] = useState(false);
  if (!isOpen && isLostDog) setLostDog(false);
  return (
    <Modal
      open={isOpen}
      onClose={onClose}
      title={isLostDog ? 'Report a Lost Dog' : 'Report a Hazard'}
    >
      <HazardForm
        onDone={onClose}
        isHere={isHere}
        onKind={(kind) => setLostDog(kind === 'lost_dog')}
      />
    </Modal>
  );
}
