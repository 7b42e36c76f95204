import { BookOpen, Flag, Gavel, ListChecks, ScrollText, UserRoundSearch } from 'lucide-react';
import { Tabs } from 'radix-ui';
import { useSearchParams } from 'react-router-dom';
import { TabList } from '../../ui/tab-list.tsx';
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

const VIEWS = [
  { value: 'reports', name: 'Reports', Icon: Flag, View: ReportQueue },
  { value: 'warnings', name: 'Warnings', Icon: Gavel, View: WarningsList },
  { value: 'log', name: 'Log', Icon: ScrollText, View: LogList },
  { value: 'people', name: 'People', Icon: UserRoundSearch, View: PeopleSearch },
  { value: 'rules', name: 'Rules', Icon: ListChecks, View: RulesEditor },
  { value: 'guidelines', name: 'Guidelines', Icon: BookOpen, View: GuidelinesEditor },
] as const;

/** The moderation tab of the admin panel. */
export default function ModerationTab() {
  const [search, setSearch] = useSearchParams();
  const open = VIEWS.find(({ value }) => value === search.get('part')) ?? VIEWS[0];
  return (
    <Tabs.Root
      value={open.value}
      // Drops the previous list's filters and page.
      onValueChange={(part) => setSearch({ tab: 'moderation', part })}
      activationMode="manual"
      className="flex flex-col gap-4"
    >
      <TabList label="Moderation" tabs={VIEWS} />
      <Tabs.Content key={open.value} value={open.value} className="outline-offset-4">
        <open.View />
      </Tabs.Content>
      <ReportDialog />
      <PersonModal />
    </Tabs.Root>
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
