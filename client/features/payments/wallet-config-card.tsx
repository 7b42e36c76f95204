import { useQuery } from '@tanstack/react-query';
import { CircleCheck, FlaskConical } from 'lucide-react';
import { isProductionReady } from '#shared/payments/admin-rules.ts';
import { googlePayConfig, PAYMENT_REFUSALS } from '#shared/payments/contract.ts';
import { CallError } from '../../platform/http/api-client.ts';
import { call } from '../../platform/http/api.ts';
import { RetryBanner } from '../../platform/ui/feedback/retry-banner.tsx';
import { Skeleton } from '../../platform/ui/feedback/skeleton.tsx';
import { Card } from '../../platform/ui/layout/card.tsx';

const NONE = 'No payment configuration available';

/** How the payment wallet is set up, and whether it takes real money. */
export function WalletConfigCard() {
  const asked = useQuery({
    queryKey: ['admin', 'wallet-config'],
    queryFn: () => call(googlePayConfig),
  });
  const { data, error } = asked;
  const isOff = error instanceof CallError && error.code === PAYMENT_REFUSALS.off;
  return (
    <Card title="Payment Wallet">
      {data ? (
        <Configuration config={data} />
      ) : isOff ? (
        <p className="text-soft">{NONE}</p>
      ) : error ? (
        <RetryBanner title={googlePayConfig.failure} asked={asked} />
      ) : (
        <Skeleton label="Loading payment configuration…" lines={2} asked={asked} />
      )}
    </Card>
  );
}

function Configuration({
  config,
}: {
  config: Parameters<typeof isProductionReady>[0] & { gatewayMerchantId: string };
}) {
  const isReady = isProductionReady(config);
  const values = [
    ['Environment', config.environment],
    ['Merchant ID', config.merchantId],
    ['Gateway', config.gateway],
    ['Gateway Merchant ID', config.gatewayMerchantId],
  ] as const;
  return (
    <div className="flex flex-col gap-4">
      <p className="flex items-start gap-3 rounded-control bg-sunken p-3.5">
        {isReady ? (
          <CircleCheck aria-hidden className="mt-0.5 size-5 shrink-0" />
        ) : (
          <FlaskConical aria-hidden className="mt-0.5 size-5 shrink-0" />
        )}
        <span className="min-w-0 break-words">
          <b className="block">{isReady ? 'Production Ready' : 'Test Mode'}</b>
          {isReady
            ? 'Cards are charged for real.'
            : 'Cards aren’t charged. To go live, set the PRODUCTION environment and use a live merchant and gateway.'}
        </span>
      </p>
      <dl className="grid grid-cols-1 gap-3 sm:grid-cols-2 xl:grid-cols-4">
        {values.map(([name, value]) => (
          <div key={name}>
            <dt className="text-sm text-soft">{name}</dt>
            <dd className="font-mono break-all">{value || 'Not set'}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
