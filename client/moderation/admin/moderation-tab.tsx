import { BookOpen, Flag, Gavel, ListChecks, ScrollText, UserRoundSearch } from 'lucide-react';
import { ViewTabs } from '../../ui/view-tabs.tsx';
import { GuidelinesEditor } from './guidelines-editor.tsx';
import { LogList } from './log-list.tsx';
import { PeopleSearch } from '../people/people-search.tsx';
import { ReportQueue } from './report-queue.tsx';
import { RulesEditor } from './rules-editor.tsx';
import { WarningsList } from './warnings-list.tsx';
import { Modal } from '../../ui/modal.tsx';
import { useOpened } from '../../ui/use-dialog-param.ts';
import { PERSON_OPEN } from '../people/open-person.tsx';
import { PersonView } from '../people/person-view.tsx';
import { ReportCase } from './report-details.tsx';

/** The moderation tab of the admin panel; the view is in the address: `?part=log`. */
export default function ModerationTab() {
  return (
    <>
      <ViewTabs
        tab="moderation"
        param="part"
        activationMode="manual"
        label="Moderation"
        views={[
          { value: 'reports', name: 'Reports', Icon: Flag, View: ReportQueue },
          { value: 'warnings', name: 'Warnings', Icon: Gavel, View: WarningsList },
          { value: 'log', name: 'Log', Icon: ScrollText, View: LogList },
          { value: 'people', name: 'People', Icon: UserRoundSearch, View: PeopleSearch },
          { value: 'rules', name: 'Rules', Icon: ListChecks, View: RulesEditor },
          { value: 'guidelines', name: 'Guidelines', Icon: BookOpen, View: GuidelinesEditor },
        ]}
      />
      <ReportDialog />
      <PersonModal />
    </>
  );
}

/** A dialog with the person in the address, above any moderation view. */
function PersonModal() {
  const { opened, id, close } = useOpened();
  const isOpen = opened === PERSON_OPEN && id !== null;
  return (
    <Modal open={isOpen} onClose={close} title="Person">
      {isOpen && <PersonView key={id} id={id} />}
    </Modal>
  );
}

/** A dialog with the report in the address, above any moderation view. */
function ReportDialog() {
  const { opened, id, close } = useOpened();
  const isOpen = opened === 'report' && id !== null;
  return (
    <Modal open={isOpen} onClose={close} title="Report">
      {isOpen && <ReportCase key={id} id={id} onDone={close} />}
    </Modal>
  );
}
