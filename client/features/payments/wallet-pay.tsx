import { Button } from '../../platform/ui/buttons/button.tsx';
import { ErrorBanner } from '../../platform/ui/feedback/error-banner.tsx';
import { useWallet, type WalletState } from './use-wallet.ts';
import { useEffect, useRef } from 'react';
import type { WalletButton as Settings } from './wallet.ts';

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
      <ErrorBanner title="Couldn’t load Google Pay" onRetry={state.retry}>
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
