import { useState } from 'react';
import { formatCalendarDate, formatDateTime } from '#shared/dates.ts';
import type { AdminReport } from '#shared/moderation/admin-contract.ts';
import type { Person } from '#shared/moderation/people-contract.ts';
import { isInForce } from '#shared/moderation/rules.ts';
import { RowAction } from '../../../platform/admin/list/row-action.tsx';
import { messageOf } from '../../../platform/http/error-message.ts';
import { Button } from '../../../platform/ui/buttons/button.tsx';
import { ErrorBanner } from '../../../platform/ui/feedback/error-banner.tsx';
import { Skeleton } from '../../../platform/ui/feedback/skeleton.tsx';
import { EmailText } from '../../../platform/ui/layout/email-text.tsx';
import { Time } from '../../../platform/ui/layout/time.tsx';
import { useNow } from '../../../platform/use-now.ts';
import { Fact } from '../admin/fact.tsx';
import {
  ACTIONS_TAKEN,
  CONTENT_TYPES,
  REPORT_STATUSES,
  REPORT_SUBJECTS,
  REPORT_TYPES,
  WARNING_TYPES,
} from '../admin/labels.ts';
import { useOpenReport } from '../workspace/open-report.ts';
import { IssueForm } from './issue-sanction-form.tsx';
import { PersonNames } from './person-names.tsx';
import { List, Row, Section } from './person-parts.tsx';
import { PersonPlaces } from './person-places.tsx';
import { usePerson } from './use-person.ts';

type Acting = ReturnType<typeof usePerson>;

/** A person for moderators: account, sanctions, reports and content, and acting on each. */
export function PersonView({ id }: { id: string }) {
  const acting = usePerson(id);
  const [isIssuing, setIssuing] = useState(false);
  const { data: person, error } = acting.asked;
  if (error && !person) return <ErrorBanner>{messageOf(error)}</ErrorBanner>;
  if (!person) return <Skeleton label="Loading person…" lines={6} asked={acting.asked} />;
  return (
    <div className="flex flex-col gap-6">
      <div className="grid items-start gap-6 lg:grid-cols-2">
        <Account person={person} />
        {/* The history comes before what one decides. */}
        <div className="flex min-w-0 flex-col gap-6">
          <Sanctions person={person} acting={acting} />
          <Reports title="Reports about this person" reports={person.reports_about} />
          {!person.account.is_admin &&
            (isIssuing ? (
              <Section title="New sanction" isNew>
                <IssueForm userId={id} onDone={() => setIssuing(false)} />
                <Button look="secondary" wide className="mt-3" onClick={() => setIssuing(false)}>
                  Cancel
                </Button>
              </Section>
            ) : (
              <Button look="secondary" className="self-start" onClick={() => setIssuing(true)}>
                Issue a sanction
              </Button>
            ))}
        </div>
      </div>
      <div className="grid items-start gap-6 lg:grid-cols-2">
        <PersonNames person={person} acting={acting} />
        <PersonPlaces person={person} acting={acting} />
        <Reports title="Reports by this person" reports={person.reports_by} />
        <Flagged entries={person.flagged} />
      </div>
    </div>
  );
}

function Account({ person: { account } }: { person: Person }) {
  const { access_expires_at, restricted_until, suspended_until } = account;
  const now = useNow();
  const isAhead = (at: string | null): at is string => at !== null && Date.parse(at) > now;
  // Permanent sanctions end in the year 9999.
  const until = (at: string) =>
    at.startsWith('9999') ? (
      'Permanently'
    ) : (
      <>
        Until <Time at={at} />
      </>
    );
  return (
    <section aria-label="Account">
      <p className="mb-2 text-xl font-bold break-words">{account.name}</p>
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1">
        <Fact name="Email">
          <EmailText>{account.email}</EmailText>
          {!account.email_verified && <span> (not verified)</span>}
        </Fact>
        <Fact name="Signed in as">{account.given_name}</Fact>
        <Fact name="User ID">{account.user_id}</Fact>
        <Fact name="Joined">
          <Time at={account.joined_at} />
        </Fact>
        <Fact name="Last seen">
          {account.last_seen_on
            ? formatCalendarDate(account.last_seen_on)
            : 'Signed out everywhere'}
        </Fact>
        <Fact name="Access">
          {account.is_admin
            ? 'Administrator'
            : isAhead(access_expires_at)
              ? until(access_expires_at)
              : 'None'}
        </Fact>
        {isAhead(restricted_until) && <Fact name="Restricted">{until(restricted_until)}</Fact>}
        {isAhead(suspended_until) && <Fact name="Suspended">{until(suspended_until)}</Fact>}
      </dl>
    </section>
  );
}

function Sanctions({ person: { warnings }, acting }: { person: Person; acting: Acting }) {
  const now = useNow();
  return (
    <Section title="Sanctions">
      <List>
        {warnings.map((warning) => (
          <Row
            key={warning.id}
            actions={
              isInForce(warning, now) && (
                <RowAction
                  word="Revoke"
                  about={WARNING_TYPES[warning.warning_type]}
                  disabled={acting.isActing}
                  onClick={() => void acting.lift(warning)}
                />
              )
            }
          >
            <div className="min-w-0">
              <p className="font-bold">
                <span>{WARNING_TYPES[warning.warning_type]}</span>
                {warning.admin_user_id === null && <span>{' (automatic)'}</span>}
              </p>
              <p>{warning.reason}</p>
              <p className="text-sm text-soft">
                <Time at={warning.created_at} />
                {warning.lifted_at && <span>{' · revoked'}</span>}
                {!warning.lifted_at && !isInForce(warning, now) && <span>{' · expired'}</span>}
              </p>
            </div>
          </Row>
        ))}
      </List>
    </Section>
  );
}

function Reports({ title, reports }: { title: string; reports: AdminReport[] }) {
  const open = useOpenReport();
  return (
    <Section title={title}>
      <List>
        {reports.map((report) => (
          <Row
            key={report.id}
            actions={
              <RowAction
                word="Open"
                about={`the report of ${formatDateTime(report.created_at)}`}
                onClick={() => open(report.id)}
              />
            }
          >
            <div className="min-w-0">
              <p className="font-bold">
                <span>{REPORT_SUBJECTS[report.subject_type]}</span>
                {report.subject_type !== 'account' && (
                  <span>{`: ${REPORT_TYPES[report.report_type]}`}</span>
                )}
              </p>
              <p className="line-clamp-2">{report.description}</p>
              <p className="text-sm text-soft">
                {REPORT_STATUSES[report.status]} · <Time at={report.created_at} />
              </p>
            </div>
          </Row>
        ))}
      </List>
    </Section>
  );
}

function Flagged({ entries }: { entries: Person['flagged'] }) {
  return (
    <Section title="Texts flagged by rules">
      <List>
        {entries.map((entry) => (
          <Row key={entry.id}>
            <div className="min-w-0">
              <p className="line-clamp-3 whitespace-pre-wrap">{entry.flagged_content}</p>
              <p className="text-sm text-soft">
                {entry.content_type ? CONTENT_TYPES[entry.content_type] : 'Message'} ·{' '}
                {entry.rule_triggered} · {ACTIONS_TAKEN[entry.action_taken]} ·{' '}
                <Time at={entry.created_at} />
              </p>
            </div>
          </Row>
        ))}
      </List>
    </Section>
  );
}
