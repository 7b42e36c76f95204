import { ArrowLeft, Printer } from 'lucide-react';
import { useEffect, useRef } from 'react';
import type { Dashboard } from '#shared/advertisers/dashboard-contract.ts';
import { formatDateTimeInZone } from '#shared/dates.ts';
import { dollars } from '#shared/money.ts';
import { PRODUCT } from '../../../platform/product.ts';
import { Button } from '../../../platform/ui/buttons/button.tsx';
import { DetailsList } from '../../../platform/ui/layout/details-list.tsx';

/** The part of an amount with tax that is tax, in cents. */
export const taxCents = (cents: number, percent: number): number =>
  Math.round(cents - cents / (1 + percent / 100));

/** A receipt on a page of its own, which the browser prints or saves as a PDF. Tax is what the operator configured when it was paid. */
export function Receipt({
  payment,
  email,
  seller,
  onClose,
}: {
  payment: Dashboard['payments'][number];
  email: string | null;
  seller: string | null;
  onClose: () => void;
}) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const { returned_cents, payment_status, tax } = payment;
  const paid = payment_status === 'refunded' ? 0 : payment.amount_cents - returned_cents;
  return (
    <article aria-labelledby="receipt" className="flex flex-col gap-4">
      <div className="flex flex-wrap justify-between gap-3 print:hidden">
        <Button look="secondary" Icon={ArrowLeft} onClick={onClose}>
          Back
        </Button>
        <Button Icon={Printer} onClick={() => window.print()}>
          Print or save as PDF
        </Button>
      </div>
      <div className="flex flex-col gap-4 rounded-card border border-line bg-surface p-5">
        <h2 id="receipt" ref={heading} tabIndex={-1} className="text-xl font-bold">
          Receipt from {PRODUCT}
        </h2>
        <DetailsList
          className="gap-x-6 gap-y-2"
          rows={[
            ['For', `Ad: ${payment.advertisement_title}`],
            ['Paid on', formatDateTimeInZone(payment.created_at)],
            ...(email ? [['Email', email] as const] : []),
            ['Payment ID', payment.payment_id ?? payment.id],
            ['Amount', `${dollars(payment.amount_cents)} USD`],
            ...(payment.amount_cents === paid
              ? []
              : [['Refunded', `${dollars(payment.amount_cents - paid)} USD`] as const]),
            ['Total paid', `${dollars(paid)} USD`],
            ...(tax
              ? [
                  [
                    `Includes ${tax.name} (${tax.percent}%)`,
                    `${dollars(taxCents(paid, tax.percent))} USD`,
                  ] as const,
                ]
              : []),
          ]}
        />
        {seller && <p className="text-sm whitespace-pre-line text-soft">{seller}</p>}
        {!tax && (
          <p className="text-sm text-soft">
            This confirms your payment. It isn’t a tax invoice and shows no tax.
          </p>
        )}
      </div>
    </article>
  );
}
