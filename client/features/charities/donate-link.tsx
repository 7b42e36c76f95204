import { ExternalLink } from 'lucide-react';
import { isWebAddress } from '#shared/ads/rules.ts';
import { createCharityDonation, type PublicCharity } from '#shared/charities/contract.ts';
import { useDocuments } from '../../platform/sync/documents/use-document.ts';
import { sendLater } from '../../platform/sync/outbox/outbox.ts';
import { hostOf } from './charity-details.tsx';

/** Opens the charity's own donation page and records the visit, without waiting for the result. */
export function DonateLink({
  charity,
  hasHost = false,
}: {
  charity: Pick<PublicCharity, 'id' | 'charity_name' | 'payment_link'>;
  /** Whether it says where it leads. */
  hasHost?: boolean;
}) {
  const documents = useDocuments();
  if (!isWebAddress(charity.payment_link)) return null;

  function record() {
    if (!documents) return;
    const body = {
      charity_id: charity.id,
      amount_cents: 0,
      donation_type: 'external_link',
    } as const;
    sendLater(documents, 'charities.donate', { body }, charity.charity_name).catch(
      (error: unknown) => console.error(createCharityDonation.failure, error),
    );
  }

  return (
    <a
      href={charity.payment_link}
      target="_blank"
      rel="noopener noreferrer"
      onClick={record}
      className="inline-flex min-h-12 flex-1 items-center justify-center gap-2 rounded-control bg-accent px-[min(1.25rem,5vw)] flex-wrap py-2.5 font-bold text-on-accent hover:bg-accent-hover"
    >
      <ExternalLink aria-hidden className="size-5 shrink-0" />
      <span>
        <span>Donate</span>
        {hasHost && <span> at {hostOf(charity.payment_link)}</span>}
        <span className="sr-only"> to {charity.charity_name}, in a new window</span>
      </span>
    </a>
  );
}
