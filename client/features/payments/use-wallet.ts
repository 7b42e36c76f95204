import { useQuery } from '@tanstack/react-query';
import { googlePayConfig, PAYMENT_REFUSALS } from '#shared/payments/contract.ts';
import { CallError } from '../../platform/http/api-client.ts';
import { call } from '../../platform/http/api.ts';
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

const ONCE = { staleTime: Infinity, networkMode: 'always', retry: false } as const;

/** Returns Google Pay, loaded on first use, and the key of the form for cards: undefined until it is known, null without one. */
export function useWallet(): { state: WalletState; cardFormKey: string | null | undefined } {
  // The access gate is outside the query client's provider.
  const config = useQuery(
    { queryKey: ['google-pay', 'config'], queryFn: () => call(googlePayConfig), ...ONCE },
    queries,
  );
  const wallet = useQuery(
    {
      queryKey: ['google-pay'],
      queryFn: () => (config.data ? openWallet(config.data) : null),
      enabled: config.data !== undefined,
      ...ONCE,
    },
    queries,
  );
  const { error, refetch, isFetching } = config.data ? wallet : config;
  const stateOf = (): WalletState => {
    if (wallet.data) return { is: 'ready', wallet: wallet.data };
    if (wallet.data === null) return { is: 'unsupported' };
    if (error instanceof CallError && error.code === PAYMENT_REFUSALS.off) return { is: 'off' };
    if (error && !isFetching) return { is: 'failed', retry: () => void refetch() };
    return { is: 'loading' };
  };
  return { state: stateOf(), cardFormKey: config.data?.card_form_key };
}
