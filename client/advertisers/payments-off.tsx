import { useQuery } from '@tanstack/react-query';
import { googlePayConfig, PAYMENT_REFUSALS } from '#shared/payments/contract.ts';
import { call } from '../http/api.ts';
import { CallError } from '../http/api-client.ts';
import { queries } from '../http/query-client.ts';

/** Says where no payments are taken, before anybody fills in what could not be paid. */
export function PaymentsOff() {
  const { error } = useQuery(
    {
      queryKey: ['google-pay', 'is-off'],
      queryFn: () => call(googlePayConfig),
      staleTime: Infinity,
      retry: false,
    },
    queries,
  );
  const isOff = error instanceof CallError && error.code === PAYMENT_REFUSALS.off;
  return (
    <div role="status" className="empty:hidden">
      {isOff && (
        <p className="rounded-control border border-line-strong bg-surface p-4">
          <strong className="block">Payments are not taken here right now</strong>
          So no ad can be booked. What you enter is kept on this device.
        </p>
      )}
    </div>
  );
}
