import { useQuery } from '@tanstack/react-query';
import { googlePayConfig, PAYMENT_REFUSALS } from '#shared/payments/contract.ts';
import { call } from '../http/api.ts';
import { CallError } from '../http/api-client.ts';
import { queries } from '../http/query-client.ts';

/** Says that payments are unavailable, before the user fills in the form. */
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
          <strong className="block">Payments are currently unavailable</strong>
          You can’t book ads right now. What you enter is saved on this device.
        </p>
      )}
    </div>
  );
}
