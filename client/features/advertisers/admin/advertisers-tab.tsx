import { ChartColumn, ClipboardCheck, CreditCard, Megaphone, Users } from 'lucide-react';
import { COUNT_MAX } from '#shared/admin/paging.ts';
import { WaitingBadge } from '../../../platform/admin/waiting-badge.tsx';
import { ViewTabs } from '../../../platform/ui/navigation/view-tabs.tsx';
import { AdminAds } from './admin-ads.tsx';
import { AdminAdvertisers } from './admin-advertisers.tsx';
import { AdminOverview } from './admin-overview.tsx';
import { AdminPayments } from './admin-payments.tsx';
import { AdminReviews, useAdReviews } from './admin-reviews.tsx';

/** Advertisers, their ads, payments and reviews; the view is in the address: `?view=payments`. */
export default function AdvertisersTab() {
  const count = useAdReviews().data?.total ?? 0;
  const badge = (
    <WaitingBadge count={{ count: Math.min(count, COUNT_MAX), isCapped: count > COUNT_MAX }} />
  );
  return (
    <ViewTabs
      tab="advertisers"
      label="Advertisers"
      views={[
        { value: 'overview', name: 'Overview', Icon: ChartColumn, View: AdminOverview },
        { value: 'advertisers', name: 'Advertisers', Icon: Users, View: AdminAdvertisers },
        { value: 'advertisements', name: 'Advertisements', Icon: Megaphone, View: AdminAds },
        { value: 'payments', name: 'Payments', Icon: CreditCard, View: AdminPayments },
        { value: 'review', name: 'Review', Icon: ClipboardCheck, View: AdminReviews, badge },
      ]}
    />
  );
}
