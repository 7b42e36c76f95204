import { useEffect, useState, useSyncExternalStore } from 'react';
import { call } from '../../platform/http/api.ts';
import { Button } from '../../platform/ui/buttons/button.tsx';
import { ErrorBanner } from '../../platform/ui/feedback/error-banner.tsx';
import { waitOrOnline } from '../payments/delay-until-online.ts';
import { WalletPay } from '../payments/wallet-pay.tsx';
import { AdPayment, type AdPaymentSettings } from './ad-payment.ts';

type Settings = Omit<AdPaymentSettings, 'call' | 'wait'> & { cents: number };

const WITHOUT_WALLET = {
  off: 'Payments are currently unavailable.',
  unsupported: 'Google Pay doesn’t work in this browser. Try another one.',
  failed: 'Check your connection and try again. Your entries are saved.',
};

/** Pays for an ad with Google Pay. `onTimeTaken` is offered if the booked time is taken or over. */
export function PayPanel({
  cents,
  onTimeTaken,
  ...settings
}: Settings & { onTimeTaken?: () => void }) {
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
            state.isTimeTaken &&
            onTimeTaken && (
              <Button look="secondary" onClick={onTimeTaken}>
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
            <strong className="block">Checking your payment…</strong>
            <span className="text-soft">
              You won’t be charged twice. You can leave; the payment continues when you come back.
            </span>
          </p>
        )}
        {state.is === 'paid' && <p className="font-bold">Thank you! Your payment went through.</p>}
      </div>
      {(state.is === 'open' || state.is === 'paying') && (
        <WalletPay
          label="pay"
          cents={cents}
          messages={WITHOUT_WALLET}
          isPaying={state.is === 'paying'}
          pay={payment.pay}
        />
      )}
    </div>
  );
}
