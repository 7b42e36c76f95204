import { listOwnReports, type ReportStatus } from '#shared/moderation/contract.ts';
import { call } from '../../../platform/http/api.ts';
import { useCachedQuery } from '../../../platform/http/use-cached-query.ts';
import { Button } from '../../../platform/ui/buttons/button.tsx';
import { Card } from '../../../platform/ui/layout/card.tsx';
import { Time } from '../../../platform/ui/layout/time.tsx';
import { REPORT_SUBJECTS, REPORT_TYPES } from '../admin/labels.ts';
import { useWarningDialog } from '../sanction-notice.tsx';
import { useAccountStatus } from '../use-account-status.ts';

const OUTCOMES: Record<ReportStatus, string> = {
  pending: 'Waiting for a moderator',
  reviewed: 'A moderator is looking at it',
  resolved: 'You were right: it breaks our guidelines. Thank you for telling us.',
  dismissed: 'It doesn’t break our guidelines.',
};

/** The reader's own reports and their outcomes; renders nothing without any. */
export function OwnReportsCard() {
  const { data } = useCachedQuery('own-reports', listOwnReports.answer, () => call(listOwnReports));
  const reports = data?.reports ?? [];
  if (reports.length === 0) return null;
  return (
    <Card title="Your reports">
      <ul aria-label="Your reports" className="divide-y divide-line">
        {reports.map((report) => (
          <li key={report.id} className="py-2">
            <p className="font-bold">
              {REPORT_SUBJECTS[report.subject_type]}: {REPORT_TYPES[report.report_type]}
            </p>
            <p>{OUTCOMES[report.status]}</p>
            <p className="text-sm text-soft">
              <Time at={report.created_at} />
            </p>
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** Reopens acknowledged decisions of moderators; renders nothing without any. */
export function DecisionsCard() {
  const { warnings } = useAccountStatus();
  const { open } = useWarningDialog();
  if (warnings.length === 0) return null;
  return (
    <Card title="From our moderators">
      <p className="text-soft">Decisions about you, your appeals, and their answers.</p>
      <Button look="secondary" onClick={open}>
        Review decisions
      </Button>
    </Card>
  );
}
