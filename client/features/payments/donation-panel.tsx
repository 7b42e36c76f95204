import { ChevronDown, HeartHandshake } from 'lucide-react';
import { useEffect, useEffectEvent, useId, useState, useSyncExternalStore } from 'react';
import { ACCESS_DAYS } from '#shared/access-gate/rules.ts';
import { dollars, wholeDollars } from '#shared/money.ts';
import { DONATION_CENTS } from '#shared/payments/rules.ts';
import { call } from '../../platform/http/api.ts';
import { ErrorBanner } from '../../platform/ui/feedback/error-banner.tsx';
import { waitOrOnline } from './delay-until-online.ts';
import { type DonationState, Donation } from './donation.ts';
import { WalletPay } from './wallet-pay.tsx';

const WITHOUT_WALLET = {
  off: 'We’re not taking donations right now. You can get in with an access code.',
  unsupported: 'Google Pay doesn’t work in this browser. You can get in with an access code.',
  failed: 'You need an internet connection. You can also get in with an access code.',
};

/** Access by a donation instead of a code. `onGranted` runs after its code was redeemed. */
export function DonationPanel({
  isWanted = false,
  onGranted,
}: {
  /** Whether it starts open. */
  isWanted?: boolean;
  onGranted: (code: string, expiresAt: string) => void;
}) {
  const { state, pay } = useDonation();
  const [isExpanded, setExpanded] = useState(isWanted);
  const bodyId = useId();
  const granted = state.is === 'granted' ? state : null;
  const letIn = useEffectEvent(onGranted);
  useEffect(() => {
    if (granted) letIn(granted.code, granted.expires_at);
  }, [granted]);
  // An unfinished donation is shown at once.
  const isUnderWay = state.is !== 'open';
  const isOpen = isExpanded || isUnderWay;
  return (
    <section
      aria-label="Donate instead"
      className="rounded-card border border-line bg-surface shadow-lift"
    >
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={bodyId}
        disabled={isUnderWay}
        onClick={() => setExpanded(!isOpen)}
        className="flex min-h-14 w-full items-center gap-2 rounded-card px-[min(1rem,4.5vw)] py-3 text-left font-bold"
      >
        <HeartHandshake aria-hidden className="size-5 shrink-0 text-accent" />
        <span className="min-w-0 flex-1">
          {isUnderWay
            ? 'Your donation'
            : `No code? Donate ${wholeDollars(DONATION_CENTS)} for ${ACCESS_DAYS} days`}
        </span>
        <ChevronDown
          aria-hidden
          className={`size-5 shrink-0 text-soft transition-transform ${isOpen ? 'rotate-180' : ''}`}
        />
      </button>
      <div id={bodyId} hidden={!isOpen} className="px-4 pb-4">
        {isOpen && <PanelBody state={state} pay={pay} />}
      </div>
    </section>
  );
}

function PanelBody({ state, pay }: { state: DonationState; pay: Donation['pay'] }) {
  const problem = state.is === 'open' || state.is === 'checking' ? state.problem : null;
  return (
    <div className="flex flex-col gap-4">
      {problem && <ErrorBanner title={problem.title}>{problem.words}</ErrorBanner>}
      <div role="status" className="empty:hidden">
        {state.is === 'checking' && !problem && (
          <p>
            <strong className="block">Checking your payment…</strong>
            <span className="text-soft">
              You won’t be charged twice. You can leave; the payment continues when you come back.
            </span>
          </p>
        )}
        {(state.is === 'opening' || state.is === 'granted') && (
          <p className="font-bold">Thank you! Letting you in…</p>
        )}
      </div>
      {(state.is === 'open' || state.is === 'paying') && (
        <>
          <p className="text-soft">
            A one-time donation of {dollars(DONATION_CENTS)} gives you access for {ACCESS_DAYS}{' '}
            days, just like a code. It won’t renew by itself, and days you have left are kept.
          </p>
          <WalletPay
            label="donate"
            cents={DONATION_CENTS}
            messages={WITHOUT_WALLET}
            isPaying={state.is === 'paying'}
            pay={pay}
          />
        </>
      )}
    </div>
  );
}

/** Returns this device's donation: the unfinished one, or a new one. */
function useDonation(): {
  state: DonationState;
  pay: Donation['pay'];
} {
  const [donation] = useState(
    () => new Donation({ call, stored: pendingDonation, store: storeDonation, wait: waitOrOnline }),
  );
  const state = useSyncExternalStore(donation.subscribe, donation.getState);
  useEffect(() => {
    donation.resume();
    return donation.stop;
  }, [donation]);
  return { state, pay: donation.pay };
}

const KEY = 'donation_id';

/** Returns the ID of the donation whose code this device hasn't used yet; null without one. */
function pendingDonation(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

/** Stores a donation until its code is used, so that the donor isn't asked to pay again; null removes it. */
function storeDonation(id: string | null): void {
  try {
    if (id) localStorage.setItem(KEY, id);
    else localStorage.removeItem(KEY);
  } catch {
    console.warn(
      'This browser can’t save your progress. Stay on this page until the payment goes through.',
    );
  }
}
