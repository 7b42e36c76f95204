import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { Link, Navigate, useSearchParams } from 'react-router-dom';
import { createAdvertiser } from '#shared/advertisers/contract.ts';
import { googlePayConfig, PAYMENT_REFUSALS } from '#shared/payments/contract.ts';
import { CallError } from '../../../platform/http/api-client.ts';
import { call } from '../../../platform/http/api.ts';
import { queries } from '../../../platform/http/query-client.ts';
import { Button } from '../../../platform/ui/buttons/button.tsx';
import { ConfirmDialog } from '../../../platform/ui/dialogs/confirm-dialog.tsx';
import { PublicPage } from '../../../platform/ui/layout/public-page.tsx';
import { showFromTop } from '../../../platform/ui/navigation/show-from-top.ts';
import { AdvertiserIntro } from './advertiser-intro.tsx';
import { CompanyStep } from './company-step.tsx';
import { DetailsStep } from './details-step.tsx';
import { DoneStep } from './done-step.tsx';
import { companyOf, typedIn, type Draft } from './draft.ts';
import { PaymentStep } from './payment-step.tsx';
import { useDraft } from './use-draft.ts';

const STEPS = [
  { name: 'company', title: 'Company Information' },
  { name: 'details', title: 'Advertisement Details' },
  { name: 'payment', title: 'Payment' },
  { name: 'done', title: 'Advertisement Scheduled!' },
] as const;
type Step = (typeof STEPS)[number]['name'];

/**
 * Returns the step to show: the requested one, or the first incomplete one before it. Changes must be sent before the payment
 * step, and a paid or pending payment can't be left.
 */
function stepOf(draft: Draft, requested: string | null): Step {
  if (draft.isPaid) return 'done';
  const isSaved = draft.ad?.of === typedIn(draft);
  if (draft.ad && (draft.isSent || (isSaved && (requested === 'payment' || requested === 'done'))))
    return 'payment';
  const isCompany = createAdvertiser.body?.safeParse(companyOf(draft)).success;
  if (requested && requested !== 'company' && isCompany) return 'details';
  return 'company';
}

/** The wizard in which businesses sign up, create an ad and pay for it. */
export default function SignupPage() {
  const [search, setSearch] = useSearchParams();
  const requested = search.get('step');
  const wizard = useDraft(requested === null);
  const { draft, change, chooseImage, forget, next } = wizard;
  const step = stepOf(draft, requested);
  // Somebody who has begun knows what it is.
  const [wasFirst] = useState(draft.company.email === '' && requested === null);
  const hasIntro = wasFirst && step === 'company' && requested === null;
  const [isStartingOver, setStartingOver] = useState(false);
  const heading = useRef<HTMLHeadingElement>(null);
  const screen = hasIntro ? 'intro' : step;
  const shown = useRef(screen);
  useEffect(() => {
    // There is no heading yet while the address changes to the step's.
    if (shown.current === screen || !heading.current) return;
    shown.current = screen;
    showFromTop(heading.current);
  });
  useEffect(() => {
    if (step !== 'done') return;
    change({ isConfirmed: true });
    chooseImage(null);
  }, [step, change, chooseImage]);
  if (requested !== step && (requested !== null || step !== 'company'))
    return <Navigate to={`?step=${step}`} replace />;

  const go = (next: Step) => setSearch({ step: next });
  const place = STEPS.findIndex(({ name }) => name === step);
  const title = STEPS[place]?.title ?? '';
  const Title = hasIntro ? 'h2' : 'h1';
  return (
    <PublicPage
      title={`${title} · Advertise With Us`}
      corner={
        <div className="flex flex-wrap items-center gap-x-2">
          {step !== 'done' && !draft.isSent && draft.company.email !== '' && (
            <Button look="quiet" className="px-2!" onClick={() => setStartingOver(true)}>
              Start over
            </Button>
          )}
          <Link
            to="/advertiser"
            className="flex min-h-11 items-center px-2 font-bold text-accent underline-offset-4 hover:underline"
          >
            Your ads
          </Link>
        </div>
      }
    >
      <ConfirmDialog
        open={isStartingOver}
        title="Start over?"
        description="What you’ve entered so far will be deleted from this device."
        yes="Start over"
        no="Keep editing"
        onYes={() => {
          forget();
          setSearch({});
        }}
        onClose={() => setStartingOver(false)}
      />
      {hasIntro && <AdvertiserIntro onBegin={() => go('company')} />}
      <div
        className={`mx-auto flex w-full max-w-xl flex-col gap-6 py-4 ${step === 'details' ? 'lg:max-w-4xl' : ''}`}
      >
        <div className="flex flex-col gap-3">
          <p className="text-sm text-soft">
            Advertise With Us, step {place + 1} of {STEPS.length}
          </p>
          <div aria-hidden className="grid grid-cols-4 gap-1.5">
            {STEPS.map(({ name }, index) => (
              <span
                key={name}
                className={`h-1.5 rounded-full ${index <= place ? 'bg-accent' : 'bg-line'}`}
              />
            ))}
          </div>
          <Title ref={heading} tabIndex={-1} className="text-3xl font-bold tracking-tight">
            {title}
          </Title>
        </div>
        {(step === 'company' || step === 'details') && <PaymentsOff />}
        {step === 'company' && (
          <CompanyStep draft={draft} change={change} onDone={() => go('details')} />
        )}
        {step === 'details' && (
          <DetailsStep wizard={wizard} onBack={() => go('company')} onDone={() => go('payment')} />
        )}
        {step === 'payment' && (
          <PaymentStep
            draft={draft}
            change={change}
            image={wizard.image}
            onBack={() => go('details')}
          />
        )}
        {step === 'done' && (
          <DoneStep
            draft={draft}
            onNext={() => {
              next();
              go('details');
            }}
          />
        )}
      </div>
    </PublicPage>
  );
}

/** Says that payments are unavailable, before the user fills in the form. */
function PaymentsOff() {
  const { error } = useQuery(
    {
      queryKey: ['google-pay', 'is-off'],
      queryFn: () => call(googlePayConfig),
      staleTime: Infinity,
      retry: false,
    },
    queries,
  );
  const isOff = error instanceof CallError && error.code === PAYMENT_REFUSALS.off;
  return (
    <div role="status" className="empty:hidden">
      {isOff && (
        <p className="rounded-control border border-line-strong bg-surface p-4">
          <strong className="block">Payments are currently unavailable</strong>
          You can’t book ads right now. What you enter is saved on this device.
        </p>
      )}
    </div>
  );
}
