import { ExternalLink } from 'lucide-react';

/** The id of a payment, as a link to its page at the provider where it has one. */
export function PaymentId({
  payment: { payment_id, provider_url },
}: {
  payment: { payment_id: string | null; provider_url: string | null };
}) {
  const words = <span className="font-mono text-sm break-all">{payment_id ?? 'None'}</span>;
  if (provider_url === null) return words;
  return (
    <a
      href={provider_url}
      target="_blank"
      rel="noopener noreferrer"
      className="inline-flex min-h-11 items-center gap-1.5 text-accent underline-offset-4 hover:underline"
    >
      {words}
      <ExternalLink aria-hidden className="size-4 shrink-0" />
      <span className="sr-only"> at the provider, in a new tab</span>
    </a>
  );
}
