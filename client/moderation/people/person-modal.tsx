import { Modal } from '../../ui/modal.tsx';
import { useOpened } from '../../ui/use-dialog-param.ts';
import { PERSON_OPEN } from './open-person.tsx';
import { PersonView } from './person-view.tsx';

/** A dialog with the person in the address, above any moderation view. */
export function PersonModal() {
  const { opened, id, close } = useOpened();
  const isOpen = opened === PERSON_OPEN && id !== null;
  return (
    <Modal open={isOpen} onClose={close} title="Person">
      {isOpen && <PersonView key={id} id={id} />}
    </Modal>
  );
}
