import { Download } from 'lucide-react';
import { useId, useLayoutEffect, useRef } from 'react';
import type { z } from 'zod';
import { formatDateTime } from '#shared/dates.ts';
import {
  getReport,
  type AdminReport,
  type EvidenceMessage,
} from '#shared/moderation/admin-contract.ts';
import { getAdminPicture } from '#shared/moderation/people-contract.ts';
import { CallError, pathOf } from '../../../platform/http/api-client.ts';
import { call } from '../../../platform/http/api.ts';
import { VoicePlayer } from '../../../platform/recording/voice-player.tsx';
import { Time } from '../../../platform/ui/layout/time.tsx';
import { AdminPicture } from '../admin/admin-picture.tsx';
import { Fact } from '../admin/fact.tsx';
import { REPORT_STATUSES, reporterName, WARNING_TYPES } from '../admin/labels.ts';
import { OpenPerson } from '../people/open-person.tsx';

export type ReportAnswer = z.output<(typeof getReport)['answer']>;

/** @throws if it isn't there */
async function loadSound(id: string): Promise<Blob> {
  const response = await fetch(pathOf(getAdminPicture, { id }));
  if (!response.ok) throw new CallError(getAdminPicture.failure, response.status, 'failed');
  return response.blob();
}

/** The query of a report with its evidence. Evidence isn't kept longer than it takes to open the next. */
export const reportQuery = (id: string) => ({
  queryKey: ['admin', 'message-report', id],
  queryFn: () => call(getReport, { params: { id } }),
  staleTime: 0,
  gcTime: 30_000,
  refetchOnWindowFocus: false as const,
});

/** What was reported, by whom, the person's history and the evidence. */
export function ReportCase({ answer }: { answer: ReportAnswer }) {
  const { report, evidence, flags, warnings, upheld_reports } = answer;
  const id = useId();
  const isMessage = report.subject_type === 'message';
  return (
    <div className="flex flex-col gap-3 sm:gap-4">
      <dl className={FACTS}>
        <Fact name="About">{report.reported.name ?? 'Deleted account'}</Fact>
        <dt className="text-soft">By</dt>
        <dd className="min-w-0 break-words">
          <span>{reporterName(report)}</span>
          <span>{', '}</span>
          <Time at={report.created_at} />
        </dd>
        <Fact name="Says">{report.description}</Fact>
      </dl>
      <section aria-labelledby={id} className="flex flex-col gap-2">
        <h3 id={id} className="font-bold max-sm:sr-only">
          Evidence
        </h3>
        {isMessage ? (
          <Evidence messages={evidence.messages} report={report} />
        ) : (
          <ContentEvidence evidence={evidence} flags={flags} />
        )}
        <p className="text-sm text-soft">
          {evidence.is_from_reporter ? (
            <span>
              It was removed before it was reported, so the messages around it aren’t available. The
              text comes from the reporter’s device, and our signature confirms that it’s the
              original.
            </span>
          ) : (
            <span>
              Copied on <Time at={evidence.copied_at} />.{' '}
              <span>
                {isMessage
                  ? 'It stays here even if the two block each other.'
                  : 'It stays here even if the original changes.'}
              </span>
            </span>
          )}
        </p>
      </section>
      <dl className={FACTS}>
        {report.status !== 'pending' && <Fact name="Status">{REPORT_STATUSES[report.status]}</Fact>}
        {report.admin_notes && <Fact name="Notes">{report.admin_notes}</Fact>}
        <Fact name="History">
          {warnings.length === 0 && upheld_reports === 0
            ? 'None'
            : [
                ...warnings.map(
                  (each) =>
                    `${WARNING_TYPES[each.warning_type]}, ${formatDateTime(each.created_at)}${each.lifted_at ? ' (revoked)' : ''}`,
                ),
                ...(upheld_reports > 0 ? [`Confirmed reports: ${upheld_reports}`] : []),
              ].join('; ')}
        </Fact>
      </dl>
      <div className="flex min-w-0 flex-wrap items-center gap-2">
        <OpenPerson isNamed person={report.reported} />
        <OpenPerson isNamed person={report.reporter} />
        <a
          href={`data:application/json;charset=utf-8,${encodeURIComponent(JSON.stringify({ report, evidence }, null, 2))}`}
          download={`report-${report.id}.json`}
          className="inline-flex min-h-11 items-center gap-2 px-2 font-bold text-accent underline-offset-4 hover:underline"
        >
          <Download aria-hidden className="size-5 shrink-0" />
          Download
        </a>
      </div>
    </div>
  );
}

const FACTS = 'grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1';

/** The messages around the reported one, opened there. */
function Evidence({ messages, report }: { messages: EvidenceMessage[]; report: AdminReport }) {
  const list = useRef<HTMLOListElement>(null);
  useLayoutEffect(() => {
    const reported = list.current?.querySelector<HTMLElement>('[data-reported]');
    if (list.current && reported)
      list.current.scrollTop =
        reported.offsetTop - (list.current.clientHeight - reported.offsetHeight) / 2;
  }, []);
  return (
    <ol
      ref={list}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be in reach of the keyboard
      tabIndex={0}
      aria-label="Messages"
      className="relative flex max-h-48 flex-col gap-2 overflow-y-auto rounded-control bg-sunken p-3 sm:max-h-80 xl:max-h-72"
    >
      {messages.map((message) => {
        const isReported = message.id === report.message_id;
        const isTheirs = message.sender_user_id === report.reported_user_id;
        const { name } = isTheirs ? report.reported : report.reporter;
        return (
          <li
            key={message.id}
            data-reported={isReported || undefined}
            className={`rounded-control bg-surface p-2.5 ${isReported ? 'border-2 border-ink' : 'border border-line'} ${isTheirs ? 'mr-6' : 'ml-6'}`}
          >
            <p className="flex flex-wrap justify-between gap-x-3 text-sm text-soft">
              <span className="font-bold">
                <span>{name ?? 'Deleted account'}</span>
                {isReported && <span>{' · reported'}</span>}
              </span>
              <Time at={message.created_at} />
            </p>
            {message.former_texts?.map((text, i) => (
              <p key={i} className="break-words whitespace-pre-wrap">
                <span className="text-sm text-soft">Before editing: </span>
                {text}
              </p>
            ))}
            {message.former_texts && <p className="text-sm text-soft">After editing:</p>}
            <p className="break-words whitespace-pre-wrap">{message.message_text}</p>
            {message.sound && (
              <VoicePlayer
                load={() => loadSound(message.sound ?? '')}
                seconds={null}
                label="the voice note"
              />
            )}
            {message.picture && (
              <a
                href={pathOf(getAdminPicture, { id: message.picture })}
                target="_blank"
                rel="noopener noreferrer"
                className="mt-1 inline-block"
              >
                <AdminPicture id={message.picture} className="size-40 max-w-full" />
                <span className="sr-only">Open the photo in a new tab</span>
              </a>
            )}
          </li>
        );
      })}
    </ol>
  );
}

/** The evidence of a report about anything but a message. */
function ContentEvidence({ evidence, flags }: Pick<ReportAnswer, 'evidence' | 'flags'>) {
  const { person, image_key, place_photo, friend_request, planned_walk } = evidence;
  const reported = person?.dogs.find((dog) => image_key !== null && dog.image_key === image_key);
  return (
    <div className="flex flex-col gap-3 rounded-control bg-sunken p-3">
      {friend_request && (
        <blockquote className="border-l-4 border-line-strong pl-3 break-words whitespace-pre-wrap">
          {friend_request.message ?? 'Friend request without a message'}
        </blockquote>
      )}
      {planned_walk && (
        <blockquote className="border-l-4 border-line-strong pl-3 break-words whitespace-pre-wrap">
          <p className="font-bold">{planned_walk.place_name}</p>
          <p className="text-sm text-soft">
            <Time at={planned_walk.starts_at} />
          </p>
          {planned_walk.note && <p>{planned_walk.note}</p>}
        </blockquote>
      )}
      {reported && (
        <figure className="flex flex-col gap-1">
          <AdminPicture id={reported.picture} className="size-40 max-w-full" />
          <figcaption className="break-words">Reported photo of {reported.name}</figcaption>
        </figure>
      )}
      {place_photo && (
        <figure className="flex flex-col gap-1">
          <AdminPicture id={place_photo.picture} className="size-40 max-w-full" />
          <figcaption>Reported photo of a place</figcaption>
        </figure>
      )}
      {person && (
        <div>
          <p className="font-bold break-words">{person.display_name}</p>
          <ul className="mt-2 flex flex-col gap-2 empty:hidden">
            {person.dogs.map((dog) => (
              <li key={dog.id} className="flex items-center gap-3">
                {dog.picture !== null && dog !== reported && (
                  <AdminPicture id={dog.picture} className="size-20" />
                )}
                <span className="min-w-0 break-words">{dog.name}</span>
              </li>
            ))}
          </ul>
        </div>
      )}
      {flags.length > 0 && (
        <ol aria-label="Flags" className="flex flex-col gap-2">
          {flags.map(({ at, details }, i) => (
            <li key={i} className="break-words">
              {details} <Time at={at} className="text-sm text-soft" />
            </li>
          ))}
        </ol>
      )}
    </div>
  );
}
