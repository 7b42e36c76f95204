import { LayoutDashboard, MailX } from 'lucide-react';
import { ViewTabs } from '../../platform/ui/navigation/view-tabs.tsx';
import { FailedMessages } from './failed-messages.tsx';
import { Overview } from './overview.tsx';

/** The first tab of the admin panel; the view is in the address: `?view=failed-messages`. */
export default function OverviewTab() {
  return (
    <ViewTabs
      tab="overview"
      label="Overview"
      activationMode="manual"
      views={[
        { value: 'today', name: 'Today', Icon: LayoutDashboard, View: Overview },
        { value: 'failed-messages', name: 'Failed Messages', Icon: MailX, View: FailedMessages },
      ]}
    />
  );
}
