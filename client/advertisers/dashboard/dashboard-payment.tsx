import type { Listing, TimedAd } from '#shared/advertisers/dashboard-contract.ts';
import { LISTING_DAYS } from '#shared/advertisers/rules.ts';
import { Button } from '../../ui/button.tsx';
import { centsOf, isPayable, isTimed, isUnpaid, periodOf } from '../ad-billing.ts';
import { PayPanel } from '../pay-panel.tsx';

/** Returns what the payment is for, and a hint. */
function textsOf(ad: TimedAd | Listing): [title: string, hint: string] {
  if (isTimed(ad)) return ['Pay for this ad', 'It goes live at the scheduled time once it’s paid.'];
  if (isUnpaid(ad))
    return [
      `Pay for ${LISTING_DAYS} days`,
      'They start when you pay. It doesn’t renew automatically.',
    ];
  return [
    `Renew for ${LISTING_DAYS} days`,
    'They’re added to your remaining days. It doesn’t renew automatically.',
  ];
}

/** Pays for an ad of the dashboard. Not in a dialog, because the wallet's own window must not be covered. */
export function DashboardPayment({
  ad,
  onClose,
  refresh,
}: {
  ad: TimedAd | Listing;
  onClose: () => void;
  refresh: () => Promise<unknown>;
}) {
  const [title, hint] = textsOf(ad);
  if (!isPayable(ad)) return null;
  return (
    <section aria-label={title} className="flex flex-col gap-3 border-t border-line pt-4">
      <p>
        <strong className="block">{title}</strong>
        <span className="text-soft">{hint}</span>
      </p>
      <PayPanel
        cents={centsOf(ad)}
        ad={{ advertiser_id: ad.advertiser_id, advertisement_id: ad.id, period: periodOf(ad) }}
        isSent={false}
        storeSent={() => {}}
        onPaid={() => {
          onClose();
          void refresh();
        }}
      />
      <Button look="quiet" onClick={onClose}>
        Not now
      </Button>
    </section>
  );
}
