import { useEffect, useState, useSyncExternalStore } from 'react';
import { call } from '../api.ts';
import { useWallet } from '../payments/use-wallet.ts';
import { waitOrOnline } from '../payments/wait-or-online.ts';
import { WalletButton } from '../payments/wallet-button.tsx';
import { Button } from '../ui/button.tsx';
import { ErrorBanner } from '../ui/error-banner.tsx';
import { AdPayment, type AdPaymentSettings } from './ad-payment.ts';

type Settings = Omit<AdPaymentSettings, 'call' | 'wait'> & { cents: number };

/** Pays for an ad with Google Pay. `onTimeGone` is offered where the booked time is somebody else's by now, or over. */
export function PayPanel({
  cents,
  onTimeGone,
  ...settings
}: Settings & { onTimeGone?: () => void }) {
  const [payment] = useState(() => new AdPayment({ ...settings, call, wait: waitOrOnline }));
  const state = useSyncExternalStore(payment.subscribe, payment.getState);
  useEffect(() => {
    payment.resume();
    return payment.stop;
  }, [payment]);
  const problem = state.is === 'open' || state.is === 'checking' ? state.problem : null;
  return (
    <div className="flex flex-col gap-4">
      {problem && (
        <ErrorBanner
          action={
            state.is === 'open' &&
            state.isTimeGone &&
            onTimeGone && (
              <Button look="secondary" onClick={onTimeGone}>
                Choose another time
              </Button>
            )
          }
        >
          {problem}
        </ErrorBanner>
      )}
      <div role="status" className="empty:hidden">
        {state.is === 'checking' && (
          <p>
            <strong className="block">We are checking your payment</strong>
            <span className="text-soft">
              You will not be charged twice. If you leave, we go on when you come back.
            </span>
          </p>
        )}
        {state.is === 'paid' && <p className="font-semibold">Thank you, it is paid.</p>}
      </div>
      {(state.is === 'open' || state.is === 'paying') && (
        <Wallet isPaying={state.is === 'paying'} cents={cents} pay={payment.pay} />
      )}
    </div>
  );
}

function Wallet({
  isPaying,
  cents,
  pay,
}: {
  isPaying: boolean;
  cents: number;
  pay: AdPayment['pay'];
}) {
  const wallet = useWallet();
  if (wallet.is === 'off') return <p role="status">Payments are not taken here right now.</p>;
  if (wallet.is === 'unsupported')
    return <p role="status">Google Pay does not work in this browser. Please try another one.</p>;
  if (wallet.is === 'failed')
    return (
      <ErrorBanner
        title="Google Pay could not be loaded"
        action={
          <Button look="secondary" onClick={wallet.retry}>
            Try again
          </Button>
        }
      >
        It needs the network. What you entered is kept.
      </ErrorBanner>
    );
  const ready = wallet.is === 'ready' ? wallet.wallet : null;
  return (
    <WalletButton
      state={wallet}
      label="pay"
      isPaying={isPaying}
      onPay={() => {
        if (ready) void pay(() => ready.requestToken(cents));
      }}
    />
  );
}
