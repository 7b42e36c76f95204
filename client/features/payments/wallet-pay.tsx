import { CreditCard } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { lazyComponent } from '../../platform/lazy/lazy-component.tsx';
import { Button } from '../../platform/ui/buttons/button.tsx';
import { ErrorBanner } from '../../platform/ui/feedback/error-banner.tsx';
import { Skeleton } from '../../platform/ui/feedback/skeleton.tsx';
import { useWallet, type WalletState } from './use-wallet.ts';
import type { WalletButton as Settings } from './wallet.ts';

/** Stripe's script is loaded by whoever chooses it only. */
const CardPay = lazyComponent(
  () => import('./card-pay.tsx'),
  () => <Skeleton label="Loading…" lines={2} />,
);

/** Messages if the wallet can't be used. */
interface Messages {
  off: string;
  unsupported: string;
  failed: string;
}

/** The wallet's button, or why there is none, and the form for cards where the gateway has one. @param pay runs during the click */
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
  const { state, cardFormKey } = useWallet();
  const [isCardOpen, setCardOpen] = useState(false);
  if (state.is === 'off') return <p role="status">{messages.off}</p>;
  // The other way to pay; browsers without Google Pay begin with it.
  const card = cardFormKey && (isCardOpen || state.is === 'unsupported');
  const ready = state.is === 'ready' ? state.wallet : null;
  return (
    <div className="flex flex-col gap-3">
      {state.is === 'unsupported' && !cardFormKey && <p role="status">{messages.unsupported}</p>}
      {state.is === 'failed' && (
        <ErrorBanner title="Couldn’t load Google Pay" onRetry={state.retry}>
          {messages.failed}
        </ErrorBanner>
      )}
      {(state.is === 'loading' || state.is === 'ready') && (
        <WalletButton
          state={state}
          label={label}
          isPaying={isPaying}
          onPay={() => {
            if (ready) void pay(() => ready.requestToken(cents));
          }}
        />
      )}
      {cardFormKey && !card && (
        <Button look="secondary" wide Icon={CreditCard} onClick={() => setCardOpen(true)}>
          Card or Apple Pay
        </Button>
      )}
      {card && (
        <CardPay
          formKey={cardFormKey}
          cents={cents}
          isPaying={isPaying}
          onPay={(requestToken) => void pay(requestToken)}
        />
      )}
    </div>
  );
}

/** The wallet's own button; while it loads or a payment is made, a disabled one of ours. */
function WalletButton({
  state,
  label,
  isPaying,
  onPay,
}: {
  state: Extract<WalletState, { is: 'loading' | 'ready' }>;
  label: Settings['label'];
  isPaying: boolean;
  /** Runs during the click. */
  onPay: () => void;
}) {
  const place = useRef<HTMLDivElement>(null);
  const latest = useRef(onPay);
  const wasPressed = useRef(false);
  const wallet = state.is === 'ready' && !isPaying ? state.wallet : null;
  useEffect(() => {
    latest.current = onPay;
  });
  useEffect(() => {
    const scheme = matchMedia('(prefers-color-scheme: dark)');
    const draw = () => {
      if (!wallet) return;
      const onClick = () => {
        wasPressed.current = true;
        latest.current();
      };
      const hadFocus = place.current?.contains(document.activeElement) ?? false;
      place.current?.replaceChildren(wallet.createButton({ label, dark: scheme.matches, onClick }));
      // The button with the focus was replaced, now or when it was pressed.
      if (hadFocus || (wasPressed.current && document.activeElement === document.body))
        place.current?.querySelector('button')?.focus({ preventScroll: true });
      wasPressed.current = false;
    };
    draw();
    scheme.addEventListener('change', draw);
    return () => scheme.removeEventListener('change', draw);
  }, [wallet, label]);
  if (!wallet)
    return (
      <Button wide disabled pending={isPaying && 'Processing Payment...'}>
        Google Pay Loading...
      </Button>
    );
  return <div ref={place} className="min-h-12" />;
}
