import { z } from 'zod';
import { paged, paging, search, version } from '../admin/paging.ts';
import { endpoint } from '../endpoint.ts';
import { idParams } from '../form-fields.ts';
import { ABOUT_MAX } from '../profile/rules.ts';
import {
  appealStatus,
  messageReport,
  reportStatus,
  reportSubject,
  reportType,
  userWarning,
  warningSeverity,
  warningType,
} from './contract.ts';
import {
  DAYS_MAX,
  REASON_MAX,
  NOTES_MAX,
  AUTHORITY_MAX,
  NOTICE_REFERENCE_MAX,
  ACTS_MAX,
  UNDO_SECONDS_MAX,
} from './rules.ts';

const list = { ...paging, sort: z.enum(['newest', 'oldest']).default('newest') };
const required = (max: number) => z.string().trim().min(1, 'Required').max(max);

/** The name is null when the account was deleted. */
export const person = z.object({ user_id: z.string(), name: z.string().nullable() });

export const adminReport = messageReport.extend({
  subject_type: reportSubject,
  /** Null where no message was reported. */
  message_id: z.string().nullable(),
  /** Its id is empty where the servers flagged the account. */
  reporter: person,
  reported: person,
  admin_notes: z.string().nullable(),
  updated_at: z.iso.datetime(),
  version,
});
export type AdminReport = z.infer<typeof adminReport>;

/** Who works on a report or an appeal now, and until when nobody else may decide it. */
const lease = z.object({ holder: person, until: z.iso.datetime() });
const takeCall = (path: `/${string}`, what: string) =>
  endpoint('POST', path, {
    access: 'admin',
    params: idParams,
    answer: z.object({ until: z.iso.datetime() }),
    failure: `Failed to open the ${what}`,
  });
/** Gives back what the caller took. May be repeated. */
const releaseCall = (path: `/${string}`, what: string) =>
  endpoint('DELETE', path, {
    access: 'admin',
    params: idParams,
    failure: `Failed to give the ${what} back`,
  });
/** The code of a 409: another moderator works on it. */
export const TAKEN = 'taken';

const queuedReport = adminReport.extend({
  /** Null if nobody works on it. */
  lease: lease.nullable(),
});
export type QueuedReport = z.infer<typeof queuedReport>;

/** The reports to decide, the gravest first and then the oldest: at most QUEUE_MAX. */
export const listQueue = endpoint('GET', '/admin/report-queue', {
  access: 'admin',
  answer: z.object({
    reports: z.array(queuedReport),
    /** All that wait, counted up to COUNT_MAX + 1. */
    waiting: z.number().int(),
  }),
  failure: 'Failed to fetch reports',
});

/** Takes a report for the caller, or renews that, for LEASE_MINUTES; `taken` while it is another moderator’s. */
export const takeReport = takeCall('/admin/message-reports/:id/lease', 'report');
export const releaseReport = releaseCall('/admin/message-reports/:id/lease', 'report');

export const listReports = endpoint('GET', '/admin/message-reports', {
  access: 'admin',
  query: z.object({
    /** The reporter or the reported person. */
    search,
    status: reportStatus.optional(),
    report_type: reportType.optional(),
    subject_type: reportSubject.optional(),
    reported_user_id: z.string().max(64).optional(),
    ...list,
  }),
  answer: z.object({
    reports: z.array(adminReport),
    ...paged,
    counts: z.record(reportStatus, z.number().int()),
  }),
  failure: 'Failed to fetch reports',
});

/** A message as it was when it was reported. */
export const evidenceMessage = z.object({
  id: z.string(),
  sender_user_id: z.string(),
  receiver_user_id: z.string(),
  message_text: z.string(),
  /** Its earlier texts, oldest first. Only a modified client can change a message. */
  former_texts: z.array(z.string()).optional(),
  /** The key of the copy of its photo that moderators see; only of the reported message. */
  picture: z.string().optional(),
  /** As `picture`, of its recording. */
  sound: z.string().optional(),
  created_at: z.iso.datetime(),
});
export type EvidenceMessage = z.infer<typeof evidenceMessage>;

/** A person as they were when they, a picture of theirs, or their friend request was reported. */
export const evidencePerson = z.object({
  display_name: z.string(),
  /** The line about the person, the photo's key on the profile, and that of its copy; reports from before them lack them. */
  about: z.string().nullable().optional(),
  image_key: z.string().nullable().optional(),
  picture: z.string().nullable().optional(),
  dogs: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      /** The picture's key on the profile. */
      image_key: z.string().nullable(),
      /** The key of the copy that moderators see. */
      picture: z.string().nullable(),
    }),
  ),
});

/** A friend request as it was when it was reported. */
export const evidenceRequest = z.object({
  id: z.string(),
  message: z.string().nullable(),
  created_at: z.iso.datetime(),
});

/** A planned walk as it was when it was reported. */
const evidenceWalk = z.object({
  id: z.string(),
  starts_at: z.iso.datetime(),
  place_name: z.string(),
  note: z.string(),
});

const noticeFields = {
  /** The authority that was notified, such as a police department. */
  authority: required(AUTHORITY_MAX),
  /** Its file number, if it gave one. */
  reference: z.string().trim().min(1).max(NOTICE_REFERENCE_MAX).nullable().default(null),
  /** The day on which the notice was sent. */
  sent_on: z.iso.date(),
};

export const adminWarning = userWarning.extend({
  user: person,
  /** Who decided; of a notice about a removal, who removed. Null: the rules did it. */
  admin_user_id: z.string().nullable(),
  /** The name of that moderator; null for the rules, and for a deleted account. */
  admin_name: z.string().nullable(),
  report_id: z.string().nullable(),
  /** Whether it is about an anonymous hazard: then there is no name, and no id of the person. */
  is_anonymous: z.boolean().optional(),
  law_enforcement_notice: z.boolean(),
  /** Whether the notice to law enforcement must still be sent. */
  is_notice_due: z.boolean(),
  /** The notice as it was sent; null before. */
  notice: z.object(noticeFields).nullable(),
  version,
});
export type AdminWarning = z.infer<typeof adminWarning>;

export const getReport = endpoint('GET', '/admin/message-reports/:id', {
  access: 'admin',
  params: idParams,
  answer: z.object({
    report: adminReport,
    /** The times at which the servers flagged the account, oldest first: the last ones. */
    flags: z.array(z.object({ at: z.iso.datetime(), details: z.string() })),
    /** The reported message with some before and after it, oldest first. */
    evidence: z.object({
      messages: z.array(evidenceMessage),
      copied_at: z.iso.datetime(),
      /** It was removed before the report came; the reporter's device had it, and the server's seal proves that it said so. */
      is_from_reporter: z.boolean(),
      person: evidencePerson.nullable(),
      /** The reported picture, as in `person`. */
      image_key: z.string().nullable(),
      /** The reported picture if it is a photo of a place. `picture`: the key of the copy that moderators see. */
      place_photo: z
        .object({ image_key: z.string(), picture: z.string().nullable() })
        .nullable()
        .default(null),
      friend_request: evidenceRequest.nullable(),
      planned_walk: evidenceWalk.nullable().default(null),
    }),
    /** Earlier sanctions of the reported person, newest first. */
    warnings: z.array(adminWarning),
    /** The number of other users whose reports about that person were upheld. */
    upheld_reports: z.number().int(),
  }),
  failure: 'Failed to fetch report',
});

export const sanction = z.object({
  warning_type: warningType,
  severity: warningSeverity,
  /** The person reads it. */
  reason: required(REASON_MAX),
  /** Left out: as the ladder has it. */
  days: z.number().int().min(1).max(DAYS_MAX).nullable().optional(),
  /** Only with a termination. */
  law_enforcement_notice: z.boolean().default(false),
});
export type Sanction = z.output<typeof sanction>;

/** An action on a person's content. Names are hidden from others until their owner chooses another one. */
export const contentAct = z.discriminatedUnion('type', [
  z.object({ type: z.literal('hide_name'), name: z.string().min(1).max(ABOUT_MAX) }),
  z.object({ type: z.literal('show_name'), name: z.string().min(1).max(ABOUT_MAX) }),
  z.object({ type: z.literal('remove_picture'), image_key: z.string().min(1).max(100) }),
  z.object({ type: z.literal('delete_request_text'), request_id: z.string().min(1).max(64) }),
  z.object({ type: z.literal('remove_planned_walk'), planned_walk_id: z.string().min(1).max(64) }),
]);
export type ContentAct = z.output<typeof contentAct>;

const consequences = {
  remove_message: z.boolean().default(false),
  /** Only for content in the report's evidence. */
  acts: z.array(contentAct).max(ACTS_MAX).default([]),
  sanction: sanction.nullable().default(null),
};
/** The actions after a report is upheld. */
export type Decision = z.output<z.ZodObject<typeof consequences>>;

/**
 * Decides a report in one step: its state, and the consequences for the message and its author. `conflict` if another
 * moderator decided in the meantime, `taken` while another moderator works on it.
 */
export const decideReport = endpoint('POST', '/admin/message-reports/:id/decide', {
  access: 'admin',
  params: idParams,
  body: z
    .object({
      version,
      status: reportStatus.exclude(['pending']),
      admin_notes: z.string().trim().max(NOTES_MAX).nullable().default(null),
      /** For how long the decision can be undone; it takes effect after that. */
      undo_seconds: z.number().int().min(0).max(UNDO_SECONDS_MAX).default(0),
      ...consequences,
    })
    .refine(
      ({ status, ...rest }) =>
        status === 'resolved' || !(rest.sanction || rest.remove_message || rest.acts.length > 0),
      {
        path: ['status'],
        error: 'Reports have consequences only if they’re confirmed',
      },
    ),
  answer: z.object({ report: adminReport }),
  failure: 'Failed to decide report',
});

/** Undoes the caller’s decision before it takes effect; `conflict` after that. */
export const undoDecision = endpoint('POST', '/admin/message-reports/:id/undo', {
  access: 'admin',
  params: idParams,
  body: z.object({ version }),
  answer: z.object({ report: adminReport }),
  failure: 'Failed to undo the decision',
});

export const listAllWarnings = endpoint('GET', '/admin/user-warnings', {
  access: 'admin',
  query: z.object({
    /** A person's name, email address or id. */
    search,
    appeal: appealStatus.optional(),
    /** `due`: terminations whose law enforcement notice must still be sent. */
    notice: z.enum(['due']).optional(),
    user_id: z.string().max(64).optional(),
    ...list,
  }),
  answer: z.object({
    warnings: z.array(adminWarning),
    ...paged,
    pending_appeals: z.number().int(),
    /** Whether there is another administrator: then nobody answers an appeal against their own decision. */
    has_other_admin: z.boolean(),
  }),
  failure: 'Failed to fetch warnings',
});

/** Without a report: for content that rules found, or that came up in other ways. */
export const issueWarning = endpoint('POST', '/admin/user-warnings', {
  access: 'admin',
  body: sanction.extend({ user_id: z.string().trim().min(1, 'Required').max(64) }),
  answer: z.object({ warning: adminWarning }),
  failure: 'Failed to issue warning',
});

/** Records the law enforcement notice of a termination, which a moderator has sent; `conflict` if none is due. */
export const recordNotice = endpoint('POST', '/admin/user-warnings/:id/notice', {
  access: 'admin',
  params: idParams,
  body: z.object({ version, ...noticeFields }),
  answer: z.object({ warning: adminWarning }),
  failure: 'Failed to record the law enforcement notice',
});

/** Revokes a sanction. */
export const liftWarning = endpoint('POST', '/admin/user-warnings/:id/lift', {
  access: 'admin',
  params: idParams,
  body: z.object({ version }),
  answer: z.object({ warning: adminWarning }),
  failure: 'Failed to revoke the sanction',
});

/** Takes an appeal for the caller, as `takeReport` does; 409 if the caller decided what it is about and somebody else can answer. */
export const takeAppeal = takeCall('/admin/user-warnings/:id/lease', 'appeal');
export const releaseAppeal = releaseCall('/admin/user-warnings/:id/lease', 'appeal');

/** Answers an appeal; 409 while another moderator works on it, and for the moderator who decided if there is another one. */
export const answerAppeal = endpoint('POST', '/admin/user-warnings/:id/answer', {
  access: 'admin',
  params: idParams,
  body: z.object({
    version,
    status: appealStatus.exclude(['pending']),
    answer: required(NOTES_MAX),
  }),
  answer: z.object({ warning: adminWarning }),
  failure: 'Failed to answer appeal',
});
