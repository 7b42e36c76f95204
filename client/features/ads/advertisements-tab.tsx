import { ChartColumn, List } from 'lucide-react';
import { ViewTabs } from '../../platform/ui/navigation/view-tabs.tsx';
import { AdAnalytics } from './ad-analytics.tsx';
import { AdManagement } from './ad-management.tsx';

/** House ads and their analytics; the view is in the address: `?view=analytics`. */
export default function AdvertisementsTab() {
  return (
    <ViewTabs
      tab="advertisements"
      label="Advertisements"
      views={[
        { value: 'management', name: 'Advertisement Management', Icon: List, View: AdManagement },
        { value: 'analytics', name: 'Analytics', Icon: ChartColumn, View: AdAnalytics },
      ]}
    />
  );
}
