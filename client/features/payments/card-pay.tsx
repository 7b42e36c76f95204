import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { dollars } from '#shared/money.ts';
import { Button } from '../../platform/ui/buttons/button.tsx';
import { ErrorBanner } from '../../platform/ui/feedback/error-banner.tsx';
import { openCardForm, type CardForm } from './card-form.ts';

interface Props {
  formKey: string;
  cents: number;
  isPaying: boolean;
  /** Runs during the click. */
  onPay: (requestToken: () => Promise<string | null>) => void;
}

/** Stripe's form for cards and Apple Pay, with a button that pays. */
export default function CardPay(props: Props) {
  const [attempt, setAttempt] = useState(0);
  const section = useRef<HTMLElement>(null);
  useEffect(() => {
    // The button that opened it is gone.
    if (document.activeElement === document.body) section.current?.focus();
  }, []);
  return (
    <section
      ref={section}
      tabIndex={-1}
      aria-label="Card or Apple Pay"
      className="flex flex-col gap-4 outline-offset-4"
    >
      <OpenForm key={attempt} {...props} onRetry={() => setAttempt(attempt + 1)} />
    </section>
  );
}

function OpenForm({ formKey, cents, isPaying, onPay, onRetry }: Props & { onRetry: () => void }) {
  const place = useRef<HTMLDivElement>(null);
  const [form, setForm] = useState<CardForm | 'loading' | 'failed'>('loading');
  const open = useEffectEvent(async (at: HTMLElement, { signal }: AbortController) => {
    const isDark = matchMedia('(prefers-color-scheme: dark)').matches;
    try {
      const ready = await openCardForm(formKey, { place: at, cents, isDark });
      if (signal.aborted) return ready.close();
      signal.addEventListener('abort', ready.close);
      setForm(ready);
    } catch (error) {
      console.error('The card form failed', error);
      if (!signal.aborted) setForm('failed');
    }
  });
  useEffect(() => {
    const shown = new AbortController();
    if (place.current) void open(place.current, shown);
    return () => shown.abort();
  }, []);
  return (
    <>
      {form === 'failed' && (
        <ErrorBanner title="Couldn’t load the card form" onRetry={onRetry}>
          Check your connection and try again. You weren’t charged.
        </ErrorBanner>
      )}
      <div ref={place} />
      {form !== 'failed' && (
        <Button
          wide
          disabled={form === 'loading'}
          pending={isPaying ? 'Processing Payment...' : form === 'loading' && 'Loading…'}
          onClick={() => form !== 'loading' && onPay(form.requestToken)}
        >
          Pay {dollars(cents)}
        </Button>
      )}
    </>
  );
}
