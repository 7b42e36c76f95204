import { ExternalLink } from 'lucide-react';
import type { ReactNode } from 'react';
import { capitalized } from '#shared/capitalized.ts';
import { dollars } from '#shared/money.ts';
import type { Donation } from '#shared/payments/admin-contract.ts';
import { PAYMENT_REFUSALS } from '#shared/payments/contract.ts';
import { ADMIN_WORDS } from '#shared/payments/provider-states.ts';
import { CopyButton } from '../../platform/ui/buttons/copy-button.tsx';
import { DetailsList } from '../../platform/ui/layout/details-list.tsx';
import { Time } from '../../platform/ui/layout/time.tsx';
import { PaymentStatus } from './payment-status.tsx';

/** What all payments have, for access or for an ad. */
type Payment = Omit<Donation, 'access_code_granted' | 'email' | 'updated_at' | 'currency'> & {
  currency: string;
  updated_at: string | null;
};

const CAUSES: Record<string, string> = {
  [PAYMENT_REFUSALS.declined]: 'The bank declined the card. Nothing was charged.',
  [PAYMENT_REFUSALS.notPaid]: 'It was closed before it was paid. Nothing was charged.',
};

/** Why a payment has no money; null for one that has. */
function causeOf({ payment_status, failure, submitted_at }: Payment): string | null {
  if (payment_status === 'failed')
    return CAUSES[failure ?? ''] ?? 'The provider gave no cause. Nothing was charged.';
  if (payment_status !== 'pending') return null;
  return submitted_at === null
    ? 'No card was entered yet.'
    : 'The provider hasn’t told us the result yet. We ask again by ourselves.';
}

const RESULTS = { completed: 'Succeeded', failed: 'Failed', refunded: 'Refunded', pending: '' };

/** What happened to a payment, oldest first. The last time is that of the last change. */
function stepsOf(payment: Payment): [name: string, at: string | null][] {
  const { payment_status, provider_state, created_at, submitted_at, updated_at } = payment;
  const money = ADMIN_WORDS[provider_state];
  // Refunds and disputes of a paid payment come after its success, whose own time isn't kept.
  const isLater = money !== null && payment_status === 'completed';
  return [
    ['Created', created_at],
    ...(submitted_at === null ? [] : [['Card submitted', submitted_at] as [string, string]]),
    ...(payment_status === 'pending'
      ? []
      : [[RESULTS[payment_status], isLater ? null : updated_at] as [string, string | null]]),
    ...(isLater ? [[money, updated_at] as [string, string | null]] : []),
  ];
}

/** The details of a payment for admins, who can't change them. @param more of this kind of payment */
export function PaymentDetails({
  payment,
  more,
}: {
  payment: Payment;
  more: readonly (readonly [name: string, value: ReactNode])[];
}) {
  const cause = causeOf(payment);
  const { amount_cents, currency, payment_status, provider_state, returned_cents } = payment;
  return (
    <div className="flex flex-col gap-5">
      {cause && <p className="rounded-control bg-sunken p-3.5 font-bold">{cause}</p>}
      {payment.provider_url !== null && (
        <a
          href={payment.provider_url}
          target="_blank"
          rel="noopener noreferrer"
          className="inline-flex min-h-12 items-center justify-center gap-2 rounded-control border border-line-strong px-5 font-bold hover:bg-sunken"
        >
          <ExternalLink aria-hidden className="size-5 shrink-0" />
          <span>Open at {capitalized(payment.payment_provider)}</span>
          <span className="sr-only">, in a new tab</span>
        </a>
      )}
      <section aria-label="Timeline">
        <h3 className="mb-2 font-bold">Timeline</h3>
        <ol className="border-l-2 border-line-strong pl-4">
          {stepsOf(payment).map(([name, at]) => (
            <li key={name} className="flex flex-wrap justify-between gap-x-4 py-1">
              <span className="font-bold">{name}</span>
              {at && <Time at={at} className="text-soft" />}
            </li>
          ))}
        </ol>
      </section>
      <DetailsList
        rows={[
          ['Amount', `${dollars(amount_cents)} ${currency}`],
          ['Status', <PaymentStatus key="status" status={payment_status} state={provider_state} />],
          ['Refunded', returned_cents > 0 ? dollars(returned_cents) : 'Nothing'],
          ...more,
          ['Provider', payment.payment_provider],
          [
            'Payment ID',
            payment.payment_id === null ? (
              'None'
            ) : (
              <CopiedId key="payment" id={payment.payment_id} />
            ),
          ],
          ['Our ID', <CopiedId key="id" id={payment.id} />],
        ]}
        className="gap-x-6 gap-y-2.5"
        valueClassName="font-bold wrap-anywhere"
      />
    </div>
  );
}

/** An ID, with the button that copies it beside its first line. */
function CopiedId({ id }: { id: string }) {
  return (
    <span className="flex items-start gap-1">
      <span className="min-w-0 font-mono text-sm leading-6 wrap-anywhere">{id}</span>
      <span className="-my-2.5">
        <CopyButton text={id} />
      </span>
    </span>
  );
}
