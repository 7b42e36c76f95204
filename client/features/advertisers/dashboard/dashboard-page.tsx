import { useQuery } from '@tanstack/react-query';
import { MailCheck } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Link, useLocation, useNavigate } from 'react-router-dom';
import { toast } from 'sonner';
import {
  BAD_LINK,
  getDashboard,
  leaveDashboard,
  openDashboard,
  sendDashboardLink,
} from '#shared/advertisers/dashboard-contract.ts';
import { Form } from '../../../platform/forms/form.tsx';
import { useSubmit } from '../../../platform/forms/use-submit.ts';
import { CallError } from '../../../platform/http/api-client.ts';
import { call } from '../../../platform/http/api.ts';
import { messageOf } from '../../../platform/http/error-message.ts';
import { queries } from '../../../platform/http/query-client.ts';
import { ErrorBanner } from '../../../platform/ui/feedback/error-banner.tsx';
import { RetryBanner } from '../../../platform/ui/feedback/retry-banner.tsx';
import { Skeleton } from '../../../platform/ui/feedback/skeleton.tsx';
import { Toaster } from '../../../platform/ui/feedback/toaster.tsx';
import { Field } from '../../../platform/ui/inputs/field.tsx';
import { Card } from '../../../platform/ui/layout/card.tsx';
import { PublicPage } from '../../../platform/ui/layout/public-page.tsx';
import { requireSchema } from '../require-schema.ts';
import { AdvertiserDashboard } from './advertiser-dashboard.tsx';
import { toastCallError } from './use-dashboard-actions.ts';

const KEY = ['advertiser-dashboard'];
/** The format of the token in emailed links (`api/features/advertisers/dashboard/magic-links.ts`); other hashes are anchors. */
const TOKEN = /^#([\w-]+\.[\da-z]+\.[\w-]+)$/;

/** The advertiser dashboard, opened by an emailed link. */
export default function DashboardPage() {
  const { hash } = useLocation();
  const navigate = useNavigate();
  const [linkProblem, setLinkProblem] = useState<string | null>(null);
  const token = TOKEN.exec(hash)?.[1];
  useEffect(() => {
    // A link that was cut off, also one that is typed while the page is open.
    if (hash !== '' && !token && !document.getElementById(hash.slice(1))) setLinkProblem(BAD_LINK);
    if (!token) return;
    setLinkProblem(null);
    call(openDashboard, { body: { token } })
      .then(() => queries.invalidateQueries({ queryKey: KEY }))
      .catch((error: unknown) => setLinkProblem(messageOf(error, openDashboard.failure)))
      // Removes the token from the address, so that it isn't read or shared.
      .finally(() => void navigate({ hash: '' }, { replace: true }));
  }, [hash, token, navigate]);
  const asked = useQuery(
    {
      queryKey: KEY,
      queryFn: () => call(getDashboard),
      enabled: !token,
      // Includes an ad that was just booked.
      refetchOnMount: 'always',
      networkMode: 'always',
      retry: false,
    },
    queries,
  );
  const { data, error, refetch } = asked;
  const isSignedOut = error instanceof CallError && error.status === 401;

  async function leave(everywhere: boolean) {
    try {
      await call(leaveDashboard, { body: { everywhere } });
    } catch (failure) {
      toastCallError(failure);
      return;
    }
    if (everywhere) toast('All links to your dashboard are turned off.');
    queries.removeQueries({ queryKey: KEY });
    await refetch();
  }

  return (
    <PublicPage
      title="Advertiser dashboard"
      corner={
        <Link
          to="/advertiser-signup"
          className="flex min-h-11 items-center px-2 font-bold text-accent"
        >
          Book an ad
        </Link>
      }
    >
      <div className="mx-auto flex w-full max-w-3xl flex-col gap-6 py-4">
        <h1 tabIndex={-1} className="text-3xl font-bold tracking-tight">
          Advertiser dashboard
        </h1>
        {linkProblem && <ErrorBanner>{linkProblem}</ErrorBanner>}
        {!data && !error && <Skeleton label="Loading your ads…" lines={5} asked={asked} />}
        {error && !isSignedOut && <RetryBanner title={getDashboard.failure} asked={asked} />}
        {isSignedOut ? (
          <LinkRequest />
        ) : (
          data && <AdvertiserDashboard dashboard={data} refresh={() => refetch()} leave={leave} />
        )}
      </div>
      <Toaster />
    </PublicPage>
  );
}

/** Requests a new link by email. */
function LinkRequest() {
  const [email, setEmail] = useState('');
  const [isSent, setSent] = useState(false);
  const form = useSubmit(async () => {
    const body = { email };
    requireSchema(sendDashboardLink.body, body);
    await call(sendDashboardLink, { body });
    setSent(true);
  });
  const field = form.bind({ email }, (_, text) => setEmail(text));

  return (
    <Card title="Get your link">
      <p className="mb-4 text-soft">
        The emails about your ads have a link that opens this page. Don’t have it? We’ll send you a
        new one.
      </p>
      {isSent ? (
        <p role="status" className="flex gap-2.5 rounded-control bg-accent-soft p-4">
          <MailCheck aria-hidden className="mt-0.5 size-5 shrink-0 text-accent" />
          <span className="min-w-0 wrap-anywhere">
            If there are ads for {email.trim()}, we’ve emailed you a link.
          </span>
        </p>
      ) : (
        <Form form={form} submit="Send me a link" pending="Sending…">
          <Field label="Email" type="email" autoComplete="email" {...field('email')} required />
        </Form>
      )}
    </Card>
  );
}
