import { useEffect, useRef, useState } from 'react';
import { dollars } from '#shared/money.ts';
import { Button } from '../../platform/ui/buttons/button.tsx';
import { ErrorBanner } from '../../platform/ui/feedback/error-banner.tsx';
import { openCardForm, type CardForm } from './card-form.ts';

/** Stripe's form for cards and Apple Pay, with a button that pays. */
export default function CardPay({
  formKey,
  cents,
  isPaying,
  onPay,
}: {
  formKey: string;
  cents: number;
  isPaying: boolean;
  /** Runs during the click. */
  onPay: (requestToken: () => Promise<string | null>) => void;
}) {
  const place = useRef<HTMLDivElement>(null);
  const [form, setForm] = useState<CardForm | 'loading' | 'failed'>('loading');
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    let isOver = false;
    let opened: CardForm | null = null;
    const isDark = matchMedia('(prefers-color-scheme: dark)').matches;
    if (place.current)
      openCardForm(formKey, { place: place.current, cents, isDark }).then(
        (ready) => {
          opened = ready;
          if (isOver) ready.close();
          else setForm(ready);
        },
        (error: unknown) => {
          console.error('The card form failed', error);
          if (!isOver) setForm('failed');
        },
      );
    return () => {
      isOver = true;
      opened?.close();
    };
  }, [formKey, cents, attempt]);
  return (
    <section aria-label="Card or Apple Pay" className="flex flex-col gap-4">
      {form === 'failed' && (
        <ErrorBanner
          title="Couldn’t load the card form"
          onRetry={() => {
            setForm('loading');
            setAttempt(attempt + 1);
          }}
        >
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
    </section>
  );
}
