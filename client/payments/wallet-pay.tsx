import { Button } from '../ui/button.tsx';
import { ErrorBanner } from '../ui/error-banner.tsx';
import { useWallet } from './use-wallet.ts';
import { WalletButton } from './wallet-button.tsx';

/** Messages if the wallet can't be used. */
interface Messages {
  off: string;
  unsupported: string;
  failed: string;
}

/** The wallet's button, or why there is none. @param pay runs during the click */
export function WalletPay({
  label,
  cents,
  messages,
  isPaying,
  pay,
}: {
  label: 'donate' | 'pay';
  cents: number;
  messages: Messages;
  isPaying: boolean;
  pay: (requestToken: () => Promise<string | null>) => Promise<void>;
}) {
  const state = useWallet();
  if (state.is === 'off') return <p role="status">{messages.off}</p>;
  if (state.is === 'unsupported') return <p role="status">{messages.unsupported}</p>;
  if (state.is === 'failed')
    return (
      <ErrorBanner
        title="Couldn’t load Google Pay"
        action={
          <Button look="secondary" onClick={state.retry}>
            Try again
          </Button>
        }
      >
        {messages.failed}
      </ErrorBanner>
    );
  const ready = state.is === 'ready' ? state.wallet : null;
  return (
    <WalletButton
      state={state}
      label={label}
      isPaying={isPaying}
      onPay={() => {
        if (ready) void pay(() => ready.requestToken(cents));
      }}
    />
  );
}
