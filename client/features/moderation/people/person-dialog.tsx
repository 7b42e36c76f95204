import { Modal } from '../../../platform/ui/dialogs/modal.tsx';
import { useDialogParam } from '../../../platform/ui/dialogs/use-dialog-param.ts';
import { PERSON_OPEN } from './open-person.tsx';
import { PersonView } from './person-view.tsx';

/** The dialog with the person in the address, above any list that opens it. */
export function PersonDialog() {
  const { opened, id, close } = useDialogParam();
  const isOpen = opened === PERSON_OPEN && id !== null;
  return (
    <Modal open={isOpen} onClose={close} title="Person" isWide>
      {isOpen && <PersonView key={id} id={id} />}
    </Modal>
  );
}
