import { BookOpen, Flag, Gavel, ListChecks, ScrollText } from 'lucide-react';
import { ViewTabs } from '../../../platform/ui/navigation/view-tabs.tsx';
import { GuidelinesEditor } from './guidelines-editor.tsx';
import { LogList } from './log-list.tsx';
import { ReportQueue } from './report-queue.tsx';
import { RulesEditor } from './rules-editor.tsx';
import { WarningsList } from './warnings-list.tsx';
import { ModerationDialogs } from './moderation-dialogs.tsx';

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
          { value: 'rules', name: 'Rules', Icon: ListChecks, View: RulesEditor },
          { value: 'guidelines', name: 'Guidelines', Icon: BookOpen, View: GuidelinesEditor },
        ]}
      />
      <ModerationDialogs />
    </>
  );
}
