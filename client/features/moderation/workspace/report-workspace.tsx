import { useQuery } from '@tanstack/react-query';
import { Undo2 } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { toast } from 'sonner';
import {
  listQueue,
  releaseReport,
  takeReport,
  undoDecision,
  type AdminReport,
  type QueuedReport,
} from '#shared/moderation/admin-contract.ts';
import { REPORT_GRAVITY, UNDO_SECONDS } from '#shared/moderation/rules.ts';
import { ageWords, waitWords } from '../../../platform/admin/format.ts';
import { toastError } from '../../../platform/admin/toast-error.ts';
import { call } from '../../../platform/http/api.ts';
import { messageOf } from '../../../platform/http/error-message.ts';
import { queries } from '../../../platform/http/query-client.ts';
import { EmptyState } from '../../../platform/illustrations/empty-state.tsx';
import { useUser } from '../../../platform/session/use-auth.tsx';
import { Button } from '../../../platform/ui/buttons/button.tsx';
import { ErrorBanner } from '../../../platform/ui/feedback/error-banner.tsx';
import { RetryBanner } from '../../../platform/ui/feedback/retry-banner.tsx';
import { Skeleton } from '../../../platform/ui/feedback/skeleton.tsx';
import { Checkbox } from '../../../platform/ui/inputs/checkbox.tsx';
import { Time } from '../../../platform/ui/layout/time.tsx';
import { useNow } from '../../../platform/use-now.ts';
import { useSearchChange } from '../../../platform/use-search-change.ts';
import { REPORT_SUBJECTS, REPORT_TYPES } from '../admin/labels.ts';
import { DecisionForm } from './decision-form.tsx';
import { actsOn } from './evidence-acts.ts';
import { REPORT } from './open-report.ts';
import { useReportQueue } from './queues.ts';
import { ReportCase, reportQuery } from './report-case.tsx';
import type { Decided } from './use-decide.ts';
import { useLease } from './use-lease.ts';
import { useShortcuts, useShortcutsSetting } from './use-shortcuts.ts';
import { Workspace } from './workspace.tsx';

const take = (id: string) => call(takeReport, { params: { id } });
const release = (id: string) => call(releaseReport, { params: { id } });

const nameOf = ({ report }: Decided): string => report.reported.name ?? 'Deleted account';

const titleOf = ({ subject_type, report_type }: AdminReport): string =>
  subject_type === 'account'
    ? REPORT_SUBJECTS.account
    : `${REPORT_SUBJECTS[subject_type]}: ${REPORT_TYPES[report_type]}`;

const GRAVITY_WORDS = ['Most serious', 'Serious', 'Ordinary'] as const;
/** The group of a report in the order of the queue. */
const gravityOf = ({ report_type }: AdminReport): 0 | 1 | 2 => {
  const at = REPORT_GRAVITY.findIndex((types) => types.some((type) => type === report_type));
  return at === 0 || at === 1 ? at : 2;
};

/** Such as ' (6 reports)' if others in the queue are about the same person. */
const sameWords = (queue: readonly AdminReport[], { reported }: AdminReport): string => {
  const count = queue.filter((each) => each.reported.user_id === reported.user_id).length;
  return count > 1 && reported.name !== null ? ` (${count} reports)` : '';
};

/** The moderators' workspace: the gravest and oldest report opens first, and the next after each decision. */
export function ReportWorkspace() {
  const userId = useUser()?.id;
  const [search] = useSearchParams();
  const change = useSearchChange();
  const asked = useReportQueue();
  // The queue may still have what was decided just now.
  const [decidedId, setDecidedId] = useState<string | null>(null);
  const queue = asked.data?.reports.filter(({ id }) => id !== decidedId);
  const isFree = ({ lease }: QueuedReport) => !lease || lease.holder.user_id === userId;
  const wanted = search.get(REPORT);
  const now = useNow();
  const [last, setLast] = useState<Decided | null>(null);
  useEffect(() => {
    if (!last) return;
    const timer = setTimeout(() => setLast(null), UNDO_SECONDS * 1_000);
    return () => clearTimeout(timer);
  }, [last]);

  const openId = wanted ?? queue?.find(isFree)?.id ?? null;
  const open = (id: string | null) =>
    change(
      (address) => {
        if (id === null) address.delete(REPORT);
        else address.set(REPORT, id);
      },
      { replace: true },
    );
  // Stays on what is open, also if a graver one comes.
  useEffect(() => {
    if (wanted === null && openId !== null) open(openId);
  });
  const at = queue?.findIndex(({ id }) => id === openId) ?? -1;
  const next = queue?.find((each, index) => index > at && isFree(each));
  useEffect(() => {
    if (next) void queries.prefetchQuery(reportQuery(next.id));
  }, [next]);
  const refusal = useLease(openId, take, release);

  async function undo() {
    if (!last) return;
    const { id, version } = last.report;
    setLast(null);
    setDecidedId(null);
    try {
      await call(undoDecision, { params: { id }, body: { version } });
      toast.success('Undone');
      // A decision on the version from before would be refused as somebody else's change.
      queries.removeQueries({ queryKey: reportQuery(id).queryKey });
      open(id);
    } catch (error) {
      toastError(error);
    }
    void queries.invalidateQueries({ queryKey: ['admin'] });
  }
  const turn = (by: number) => {
    const to = queue?.[at + by];
    if (to) open(to.id);
  };
  const [hasKeys, turnKeys] = useShortcutsSetting();
  useShortcuts(
    { j: () => turn(1), k: () => turn(-1), ...(last && { u: () => void undo() }) },
    hasKeys,
  );
  const opened = useQuery({ ...reportQuery(openId ?? ''), enabled: openId !== null });

  if (asked.error && !queue) return <RetryBanner title={listQueue.failure} asked={asked} />;
  if (!queue) return <Skeleton label="Loading reports…" lines={8} asked={asked} />;
  const done = (decided: Decided) => {
    setLast(decided);
    setDecidedId(decided.report.id);
    const following =
      queue.find((each, index) => index > at && isFree(each)) ??
      queue.find((each) => each.id !== openId && isFree(each));
    open(following?.id ?? null);
  };
  const answer = opened.data;
  return (
    <>
      {last && <UndoBar last={last} onUndo={() => void undo()} />}
      {openId === null ? (
        <EmptyState illustration="calm">
          Nothing to decide. New reports appear by themselves.
        </EmptyState>
      ) : (
        <Workspace
          label="Reports to decide"
          waiting={waitWords(asked.data?.waiting, 'report', 'decide')}
          items={queue.map((each) => ({
            id: each.id,
            title: titleOf(each),
            detail: (
              <>
                <span>{`${each.reported.name ?? 'Deleted account'}${sameWords(queue, each)}`}</span>
                <span className="block">
                  {GRAVITY_WORDS[gravityOf(each)]} ·{' '}
                  <Time
                    at={each.created_at}
                    format={(at) => `${ageWords(now - Date.parse(at))} ago`}
                  />
                </span>
              </>
            ),
            isGrave: gravityOf(each) === 0,
            holder: isFree(each) ? null : (each.lease?.holder.name ?? 'Another moderator'),
          }))}
          openId={openId}
          onOpen={open}
          title={answer ? titleOf(answer.report) : 'Report'}
          evidence={
            answer ? (
              <ReportCase key={openId} answer={answer} />
            ) : opened.error ? (
              <ErrorBanner>{messageOf(opened.error)}</ErrorBanner>
            ) : (
              <Skeleton label="Loading report…" lines={6} asked={opened} />
            )
          }
          decision={
            answer && (
              <DecisionForm
                key={openId}
                report={answer.report}
                acts={actsOn(answer.evidence)}
                warnings={answer.warnings}
                refusal={refusal}
                hasKeys={hasKeys}
                onDone={done}
                onConflict={opened.refetch}
              />
            )
          }
          hasKeys={hasKeys}
          keys={
            <div className="mt-2 border-t border-line pt-2">
              <Checkbox
                label="Keys"
                hint="J next, K back, 1 to 4 decide, R removes, U undoes"
                checked={hasKeys}
                onChange={turnKeys}
              />
            </div>
          }
        />
      )}
    </>
  );
}

/** Undoes the last decision, before it takes effect. */
function UndoBar({ last, onUndo }: { last: Decided; onUndo: () => void }) {
  return (
    <div
      role="status"
      className="sticky top-2 z-20 flex flex-wrap items-center justify-between gap-x-3 rounded-card bg-accent-soft px-4 py-1 shadow-lift"
    >
      <span className="min-w-0 break-words">
        <b>{last.words}</b>
        <span>{`: ${nameOf(last)}. It takes effect in a moment.`}</span>
      </span>
      <Button look="quiet" Icon={Undo2} className="min-h-11!" onClick={onUndo}>
        Undo (U)
      </Button>
    </div>
  );
}
