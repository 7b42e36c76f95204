import { useEffect, useRef } from 'react';
import { Button } from '../ui/button.tsx';
import type { WalletButton as Settings } from './wallet.ts';
import type { WalletState } from './use-wallet.ts';

/** The wallet's own button; while it loads or a payment is made, a disabled one of ours. */
export function WalletButton({
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
  const wallet = state.is === 'ready' && !isPaying ? state.wallet : null;
  useEffect(() => {
    latest.current = onPay;
  });
  useEffect(() => {
    const scheme = matchMedia('(prefers-color-scheme: dark)');
    const draw = () => {
      const onClick = () => latest.current();
      if (wallet)
        place.current?.replaceChildren(
          wallet.createButton({ label, dark: scheme.matches, onClick }),
        );
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
