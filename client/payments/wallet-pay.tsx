import { Button } from '../ui/button.tsx';
import { ErrorBanner } from '../ui/error-banner.tsx';
import { useWallet } from './use-wallet.ts';
import { WalletButton } from './wallet-button.tsx';

/** What is said where the wallet cannot be used. */
interface Words {
  off: string;
  unsupported: string;
  failed: string;
}

/** The wallet's button, or in words why there is none. @param pay runs inside of the click */
export function WalletPay({
  label,
  cents,
  words,
  isPaying,
  pay,
}: {
  label: 'donate' | 'pay';
  cents: number;
  words: Words;
  isPaying: boolean;
  pay: (requestToken: () => Promise<string | null>) => Promise<void>;
}) {
  const state = useWallet();
  if (state.is === 'off') return <p role="status">{words.off}</p>;
  if (state.is === 'unsupported') return <p role="status">{words.unsupported}</p>;
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
        {words.failed}
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
