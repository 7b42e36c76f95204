import { BookOpen, Files, Flag, Gavel, ListChecks, Scale, ScrollText } from 'lucide-react';
import { WaitingBadge } from '../../../platform/admin/waiting-badge.tsx';
import { ViewTabs } from '../../../platform/ui/navigation/view-tabs.tsx';
import { PersonDialog } from '../people/person-dialog.tsx';
import { AppealWorkspace } from '../workspace/appeal-workspace.tsx';
import { useAppealQueue, useReportQueue } from '../workspace/queues.ts';
import { ReportWorkspace } from '../workspace/report-workspace.tsx';
import { GuidelinesEditor } from './guidelines-editor.tsx';
import { LogList } from './log-list.tsx';
import { ReportQueue } from './report-queue.tsx';
import { RulesEditor } from './rules-editor.tsx';
import { WarningsList } from './warnings-list.tsx';

const badge = (count: number) => <WaitingBadge count={{ count, isCapped: false }} />;

/** The moderation tab of the admin panel; the view is in the address: `?part=log`. */
export default function ModerationTab() {
  const reports = useReportQueue().data?.waiting ?? 0;
  const appeals = useAppealQueue().data?.total ?? 0;
  return (
    <>
      <ViewTabs
        tab="moderation"
        param="part"
        activationMode="manual"
        label="Moderation"
        views={[
          {
            value: 'queue',
            name: 'Reports',
            Icon: Flag,
            View: ReportWorkspace,
            badge: badge(reports),
          },
          {
            value: 'appeals',
            name: 'Appeals',
            Icon: Scale,
            View: AppealWorkspace,
            badge: badge(appeals),
          },
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
