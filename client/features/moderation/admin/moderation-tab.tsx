import { BookOpen, Files, Flag, Gavel, ListChecks, Scale, ScrollText } from 'lucide-react';
import { ViewTabs } from '../../../platform/ui/navigation/view-tabs.tsx';
import { GuidelinesEditor } from './guidelines-editor.tsx';
import { LogList } from './log-list.tsx';
import { ReportQueue } from './report-queue.tsx';
import { RulesEditor } from './rules-editor.tsx';
import { WarningsList } from './warnings-list.tsx';
import { PersonDialog } from '../people/person-dialog.tsx';
import { AppealWorkspace } from '../workspace/appeal-workspace.tsx';
import { ReportWorkspace } from '../workspace/report-workspace.tsx';

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
          { value: 'queue', name: 'Reports', Icon: Flag, View: ReportWorkspace },
          { value: 'appeals', name: 'Appeals', Icon: Scale, View: AppealWorkspace },
          { value: 'reports', name: 'All Reports', Icon: Files, View: ReportQueue },
          { value: 'warnings', name: 'Warnings', Icon: Gavel, View: WarningsList },
          { value: 'log', name: 'Log', Icon: ScrollText, View: LogList },
          { value: 'rules', name: 'Rules', Icon: ListChecks, View: RulesEditor },
          { value: 'guidelines', name: 'Guidelines', Icon: BookOpen, View: GuidelinesEditor },
        ]}
      />
      <PersonDialog />
    </>
  );
}
