import { useQuery } from '@tanstack/react-query';
import { googlePayConfig, PAYMENT_REFUSALS } from '#shared/payments/contract.ts';
import { call } from '../../platform/http/api.ts';
import { CallError } from '../../platform/http/api-client.ts';
import { queries } from '../../platform/http/query-client.ts';
import { openWallet, type Wallet } from './wallet.ts';

export type WalletState =
  | { is: 'loading' }
  | { is: 'ready'; wallet: Wallet }
  /** This installation takes no payments. */
  | { is: 'off' }
  /** This browser can't pay with Google Pay. */
  | { is: 'unsupported' }
  | { is: 'failed'; retry: () => void };

/** Returns Google Pay, loaded on first use. */
export function useWallet(): WalletState {
  const { data, error, refetch, isFetching } = useQuery(
    {
      queryKey: ['google-pay'],
      queryFn: async () => openWallet(await call(googlePayConfig)),
      staleTime: Infinity,
      networkMode: 'always',
      retry: false,
    },
    // The access gate is outside the query client's provider.
    queries,
  );
  if (data) return { is: 'ready', wallet: data };
  if (data === null) return { is: 'unsupported' };
  if (error instanceof CallError && error.code === PAYMENT_REFUSALS.off) return { is: 'off' };
  if (error && !isFetching) return { is: 'failed', retry: () => void refetch() };
  return { is: 'loading' };
}
