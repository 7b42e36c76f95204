import { useEffect, useRef } from 'react';
import { useSearchParams } from 'react-router-dom';
import type {
  Dashboard as DashboardData,
  Listing,
  TimedAd,
} from '#shared/advertisers/dashboard-contract.ts';
import { LISTING_DAYS } from '#shared/advertisers/rules.ts';
import { dollars } from '#shared/money.ts';
import { PAYER_WORDS } from '#shared/payments/provider-states.ts';
import { Button, ButtonLink } from '../../../platform/ui/buttons/button.tsx';
import { ConfirmDialog } from '../../../platform/ui/dialogs/confirm-dialog.tsx';
import { Modal } from '../../../platform/ui/dialogs/modal.tsx';
import { useCloseDialog } from '../../../platform/ui/dialogs/use-close-dialog.ts';
import { Card } from '../../../platform/ui/layout/card.tsx';
import { Time } from '../../../platform/ui/layout/time.tsx';
import { periodOf, centsOf, isPayable, isTimed, isUnpaid } from '../ad-billing.ts';
import { PayPanel } from '../pay-panel.tsx';
import { AdCard } from './ad-card.tsx';
import { AdStats } from './ad-stats.tsx';
import { EditAd } from './edit-ad.tsx';
import { Receipt } from './receipt.tsx';
import { useDashboardActions } from './use-dashboard-actions.ts';

const sum = (ads: readonly (TimedAd | Listing)[], of: 'impressions' | 'clicks' | 'spent_cents') =>
  ads.reduce((total, ad) => total + ad[of], 0);

/** The advertiser dashboard: stats, ads, listings and payments. */
export function AdvertiserDashboard({
  dashboard,
  refresh,
  leave,
}: {
  dashboard: DashboardData;
  refresh: () => Promise<unknown>;
  leave: (everywhere: boolean) => Promise<void>;
}) {
  const { email, ads, listings, payments, seller } = dashboard;
  const all = [...ads, ...listings];
  const [search, setSearch] = useSearchParams();
  const [what, id = '', period] = (search.get('open') ?? '').split(':');
  const chosen = all.find((ad) => String(ad.id) === id);
  const close = useCloseDialog('open');
  const open = (dialog: string) => (ad: TimedAd | Listing) =>
    setSearch({ open: `${dialog}:${ad.id}` });
  // With the period, so that a reopened link doesn't pay for the next month.
  const openPayment = (ad: TimedAd | Listing) =>
    setSearch({ open: `pay:${ad.id}:${periodOf(ad)}` });
  const acts = useDashboardActions(refresh);

  const receipt = payments.find((payment) => what === 'receipt' && payment.id === id);
  if (receipt) return <Receipt payment={receipt} email={email} seller={seller} onClose={close} />;
  if (all.length === 0)
    return (
      <Card title="No ads yet">
        <p className="mb-4 text-soft">The ads you book appear here, with their views and clicks.</p>
        <ButtonLink to="/advertiser-signup">Advertise With Us</ButtonLink>
      </Card>
    );
  return (
    <>
      {all.length > 1 && (
        <AdStats
          label="All your ads"
          impressions={sum(all, 'impressions')}
          clicks={sum(all, 'clicks')}
          cents={sum(all, 'spent_cents')}
        />
      )}
      <section aria-label="Your ads" className="flex flex-col gap-4">
        {all.map((ad) => (
          <AdCard
            key={ad.id}
            ad={ad}
            onEdit={open('edit')}
            onCancel={open('cancel')}
            onPay={openPayment}
            onPause={acts.pause}
          >
            {what === 'pay' && ad === chosen && period === String(periodOf(ad)) && (
              <DashboardPayment ad={ad} onClose={close} refresh={refresh} />
            )}
          </AdCard>
        ))}
      </section>
      <Payments
        payments={payments}
        onReceipt={(payment) => setSearch({ open: `receipt:${payment}` })}
      />
      <footer className="flex flex-col items-start gap-2 text-sm text-soft">
        <p>
          {email
            ? `This page shows ads booked with ${email}. Anyone with your link sees the same.`
            : 'This page shows ads booked in this browser. The link in your email works on every device.'}
        </p>
        <div className="flex flex-wrap gap-3">
          <Button look="secondary" onClick={() => void leave(false)}>
            Sign out on this device
          </Button>
          {email && (
            <Button look="secondary" onClick={() => void leave(true)}>
              Turn off all links
            </Button>
          )}
        </div>
      </footer>

      <Modal open={what === 'edit' && Boolean(chosen)} onClose={close} title="Edit ad">
        {chosen && <EditAd ad={chosen} acts={acts} onDone={close} />}
      </Modal>
      {chosen && 'title' in chosen && (
        <ConfirmDialog
          open={what === 'cancel'}
          title={`Cancel ${chosen.title}?`}
          description={
            chosen.spent_cents > 0
              ? `It won’t run, and you’ll get a full refund of ${dollars(chosen.spent_cents)}.`
              : 'It won’t run, and its slot becomes available to others.'
          }
          yes="Cancel ad"
          no="Keep ad"
          onYes={() => void acts.cancel(chosen)}
          onClose={close}
        />
      )}
    </>
  );
}

const PAYMENT_NAMES = {
  pending: 'Processing',
  completed: 'Paid',
  failed: 'Not charged',
  refunded: 'Refunded',
} as const;

function Payments({
  payments,
  onReceipt,
}: {
  payments: DashboardData['payments'];
  onReceipt: (id: string) => void;
}) {
  if (payments.length === 0) return null;
  return (
    <Card title="Payments">
      <ul className="divide-y divide-line">
        {payments.map((payment) => (
          <li key={payment.id} className="flex items-start justify-between gap-3 py-2.5">
            <div className="min-w-0">
              <p className="font-bold break-words">{payment.advertisement_title}</p>
              <p className="text-sm text-soft">
                <Time at={payment.created_at} />
              </p>
            </div>
            <div className="shrink-0 text-right">
              <p className="font-bold tabular-nums">{dollars(payment.amount_cents)}</p>
              <p className="text-sm text-soft">
                <span>{PAYMENT_NAMES[payment.payment_status]}</span>
                {payment.payment_status === 'completed' && payment.returned_cents > 0 && (
                  <span>{`, ${dollars(payment.returned_cents)} refunded`}</span>
                )}
              </p>
              {(payment.payment_status === 'completed' ||
                payment.payment_status === 'refunded') && (
                <Button
                  look="quiet"
                  className="min-h-11! px-0!"
                  onClick={() => onReceipt(payment.id)}
                >
                  Receipt<span className="sr-only"> for {payment.advertisement_title}</span>
                </Button>
              )}
              {PAYER_WORDS[payment.provider_state] && (
                <p className="max-w-56 text-sm">{PAYER_WORDS[payment.provider_state]}.</p>
              )}
            </div>
          </li>
        ))}
      </ul>
    </Card>
  );
}

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
function DashboardPayment({
  ad,
  onClose,
  refresh,
}: {
  ad: TimedAd | Listing;
  onClose: () => void;
  refresh: () => Promise<unknown>;
}) {
  const [title, hint] = textsOf(ad);
  const section = useRef<HTMLElement>(null);
  // It opens at the end of the card, which may be below the fold.
  useEffect(() => {
    const opener = document.activeElement;
    section.current?.focus({ preventScroll: true });
    section.current?.scrollIntoView({ block: 'nearest' });
    return () => {
      if (opener instanceof HTMLElement && document.activeElement === document.body) opener.focus();
    };
  }, []);
  if (!isPayable(ad)) return null;
  return (
    <section
      ref={section}
      tabIndex={-1}
      aria-label={title}
      className="flex flex-col gap-3 border-t border-line pt-4"
    >
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
