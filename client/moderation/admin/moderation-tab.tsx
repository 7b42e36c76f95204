import { BookOpen, Flag, Gavel, ListChecks, ScrollText, UserRoundSearch } from 'lucide-react';
import { Tabs } from 'radix-ui';
import { useSearchParams } from 'react-router-dom';
import { TabList } from '../../ui/tab-list.tsx';
import { GuidelinesEditor } from './guidelines-editor.tsx';
import { LogList } from './log-list.tsx';
import { PeopleSearch } from '../people/people-search.tsx';
import { PersonModal } from '../people/person-modal.tsx';
import { ReportDialog } from '../report-dialog.tsx';
import { ReportQueue } from './report-queue.tsx';
import { RulesEditor } from './rules-editor.tsx';
import { WarningsList } from './warnings-list.tsx';

const PARTS = [
  { value: 'reports', name: 'Reports', Icon: Flag, Part: ReportQueue },
  { value: 'warnings', name: 'Warnings', Icon: Gavel, Part: WarningsList },
  { value: 'log', name: 'Log', Icon: ScrollText, Part: LogList },
  { value: 'people', name: 'People', Icon: UserRoundSearch, Part: PeopleSearch },
  { value: 'rules', name: 'Rules', Icon: ListChecks, Part: RulesEditor },
  { value: 'guidelines', name: 'Guidelines', Icon: BookOpen, Part: GuidelinesEditor },
] as const;

/** Reports, what was done about people, what rules found, the rules, and the guidelines. */
export default function ModerationTab() {
  const [search, setSearch] = useSearchParams();
  const open = PARTS.find(({ value }) => value === search.get('part')) ?? PARTS[0];
  return (
    <Tabs.Root
      value={open.value}
      // Of the list that was open, the next wants neither filters nor the page.
      onValueChange={(part) => setSearch({ tab: 'moderation', part })}
      activationMode="manual"
      className="flex flex-col gap-4"
    >
      <TabList label="Moderation" tabs={PARTS} />
      <Tabs.Content key={open.value} value={open.value} className="outline-offset-4">
        <open.Part />
      </Tabs.Content>
      <ReportDialog />
      <PersonModal />
    </Tabs.Root>
  );
}
