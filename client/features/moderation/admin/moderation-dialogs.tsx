import { Modal } from '../../../platform/ui/dialogs/modal.tsx';
import { useOpened } from '../../../platform/ui/dialogs/use-dialog-param.ts';
import { PERSON_OPEN } from '../people/open-person.tsx';
import { PersonView } from '../people/person-view.tsx';
import { ReportCase } from './report-details.tsx';

/** The dialogs with the report or the person in the address, above any list that opens them. */
export function ModerationDialogs() {
  const { opened, id, close } = useOpened();
  const isPerson = opened === PERSON_OPEN && id !== null;
  const isReport = opened === 'report' && id !== null;
  return (
    <>
      <Modal open={isReport} onClose={close} title="Report">
        {isReport && <ReportCase key={id} id={id} onDone={close} />}
      </Modal>
      <Modal open={isPerson} onClose={close} title="Person">
        {isPerson && <PersonView key={id} id={id} />}
      </Modal>
    </>
  );
}
