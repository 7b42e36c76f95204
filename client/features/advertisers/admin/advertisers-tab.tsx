import { ChartColumn, ClipboardCheck, CreditCard, Megaphone, Users } from 'lucide-react';
import { countWords } from '../../../platform/admin/format.ts';
import { ViewTabs } from '../../../platform/ui/navigation/view-tabs.tsx';
import { AdminAds } from './admin-ads.tsx';
import { AdminAdvertisers } from './admin-advertisers.tsx';
import { AdminOverview } from './admin-overview.tsx';
import { AdminPayments } from './admin-payments.tsx';
import { AdminReviews, useAdReviews } from './admin-reviews.tsx';

/** Advertisers, their ads, payments and reviews; the view is in the address: `?view=payments`. */
export default function AdvertisersTab() {
  const waiting = useAdReviews().data?.total ?? 0;
  const badge = waiting > 0 && <WaitingCount count={waiting} />;
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

const WaitingCount = ({ count }: { count: number }) => (
  <span className="inline-flex min-w-5 items-center justify-center rounded-full bg-accent px-1.5 text-xs text-on-accent tabular-nums">
    {countWords(count)}
    <span className="sr-only"> waiting</span>
  </span>
);
