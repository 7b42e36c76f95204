import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import {
  listAllWarnings,
  releaseAppeal,
  takeAppeal,
  type AdminWarning,
} from '#shared/moderation/admin-contract.ts';
import { waitWords } from '../../../platform/admin/format.ts';
import { useLatestRow } from '../../../platform/admin/list/use-latest-row.ts';
import { call } from '../../../platform/http/api.ts';
import { messageOf } from '../../../platform/http/error-message.ts';
import { EmptyState } from '../../../platform/illustrations/empty-state.tsx';
import { useUser } from '../../../platform/session/use-auth.tsx';
import { ErrorBanner } from '../../../platform/ui/feedback/error-banner.tsx';
import { RetryBanner } from '../../../platform/ui/feedback/retry-banner.tsx';
import { Skeleton } from '../../../platform/ui/feedback/skeleton.tsx';
import { Time } from '../../../platform/ui/layout/time.tsx';
import { useSearchChange } from '../../../platform/use-search-change.ts';
import { Fact } from '../admin/fact.tsx';
import { WARNING_TYPES } from '../admin/labels.ts';
import { decidedBy, personOf } from '../admin/person-of.ts';
import { AppealForm } from './appeal-form.tsx';
import { useAppealQueue } from './queues.ts';
import { ReportCase, reportQuery } from './report-case.tsx';
import { useLease } from './use-lease.ts';
import { Workspace } from './workspace.tsx';

/** Parameter of the address with the sanction whose appeal is open. */
export const ANSWERING = 'answering';
const take = (id: string) => call(takeAppeal, { params: { id } });
const release = (id: string) => call(releaseAppeal, { params: { id } });

/** Appeals with the report, the evidence and who decided; nobody judges one against their own decision if somebody else can. */
export function AppealWorkspace() {
  const userId = useUser()?.id;
  const [search] = useSearchParams();
  const change = useSearchChange();
  const asked = useAppealQueue();
  // The list may still have what was answered just now.
  const [answeredId, setAnsweredId] = useState<string | null>(null);
  const appeals = asked.data?.warnings.filter(({ id }) => id !== answeredId);
  const isOthers = ({ admin_user_id }: AdminWarning) =>
    admin_user_id !== userId || asked.data?.has_other_admin === false;
  const wanted = search.get(ANSWERING);
  const openId = wanted ?? appeals?.find(isOthers)?.id ?? appeals?.[0]?.id ?? null;
  // One that somebody else answered stays, with what was typed.
  const warning = useLatestRow(appeals, openId);
  const refusal = useLease(warning?.id ?? null, take, release);
  const open = (id: string | null) =>
    change(
      (address) => {
        if (id === null) address.delete(ANSWERING);
        else address.set(ANSWERING, id);
      },
      { replace: true },
    );
  useEffect(() => {
    if (wanted === null && openId !== null) open(openId);
  });

  if (asked.error && !appeals) return <RetryBanner title={listAllWarnings.failure} asked={asked} />;
  if (!appeals) return <Skeleton label="Loading appeals…" lines={8} asked={asked} />;
  if (appeals.length === 0 && wanted === null)
    return <EmptyState illustration="calm">No appeals to answer.</EmptyState>;
  return (
    <Workspace
      label="Appeals to answer"
      waiting={waitWords(asked.data?.pending_appeals, 'appeal', 'answer')}
      items={appeals.map((each) => ({
        id: each.id,
        title: WARNING_TYPES[each.warning_type],
        detail: (
          <>
            <span>{personOf(each)}</span> · <Time at={each.appeal?.created_at ?? each.created_at} />
          </>
        ),
        holder: null,
      }))}
      openId={openId}
      onOpen={open}
      title={warning ? `Appeal of ${personOf(warning)}` : 'Appeal'}
      evidence={warning ? <AppealCase key={warning.id} warning={warning} /> : <Gone />}
      decision={
        warning && (
          <AppealForm
            key={warning.id}
            warning={warning}
            refusal={refusal}
            onDone={() => {
              const others = appeals.filter(({ id }) => id !== warning.id);
              setAnsweredId(warning.id);
              open(others.find(isOthers)?.id ?? others[0]?.id ?? null);
            }}
          />
        )
      }
    />
  );
}

function Gone() {
  return <p className="text-soft">This appeal has been answered.</p>;
}

/** The appeal, the sanction, who decided it and the report that it came from. */
function AppealCase({ warning }: { warning: AdminWarning }) {
  const { report_id, appeal } = warning;
  const asked = useQuery({
    ...reportQuery(report_id ?? ''),
    enabled: report_id !== null,
  });
  const { data, error } = asked;
  return (
    <div className="flex flex-col gap-4">
      <blockquote className="border-l-4 border-line-strong pl-3 break-words whitespace-pre-wrap">
        {appeal?.text}
      </blockquote>
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1">
        <Fact name="Sanction">{WARNING_TYPES[warning.warning_type]}</Fact>
        <Fact name="Reason">{warning.reason}</Fact>
        <Fact name="Decided by">{decidedBy(warning)}</Fact>
        <dt className="text-soft">Decided</dt>
        <dd>
          <Time at={warning.created_at} />
        </dd>
      </dl>
      <section aria-label="Report" className="border-t border-line pt-4">
        {report_id === null ? (
          <p className="text-soft">There’s no report: the sanction was issued without one.</p>
        ) : data ? (
          <ReportCase answer={data} />
        ) : error ? (
          <ErrorBanner>{messageOf(error)}</ErrorBanner>
        ) : (
          <Skeleton label="Loading report…" lines={6} asked={asked} />
        )}
      </section>
    </div>
  );
}
