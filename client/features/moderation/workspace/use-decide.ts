import { useState } from 'react';
import { EDITED_MEANWHILE } from '#shared/admin/paging.ts';
import { newId } from '#shared/ids.ts';
import {
  decideReport,
  TAKEN,
  type AdminReport,
  type ContentAct,
} from '#shared/moderation/admin-contract.ts';
import { UNDO_SECONDS, type WarningType } from '#shared/moderation/rules.ts';
import { useAction } from '../../../platform/forms/use-action.ts';
import { useSubmit } from '../../../platform/forms/use-submit.ts';
import { CallError } from '../../../platform/http/api-client.ts';
import { call } from '../../../platform/http/api.ts';
import { messageOf } from '../../../platform/http/error-message.ts';
import { queries } from '../../../platform/http/query-client.ts';
import { WARNING_TYPES } from '../admin/labels.ts';
import { noSanction, sanctionOf, type SanctionDraft } from '../people/sanction-fields.tsx';

export const OUTCOMES = [
  { value: 'resolved', name: 'Report confirmed' },
  { value: 'dismissed', name: 'No violation' },
  { value: 'reviewed', name: 'Reviewed, decision pending' },
] as const;
export type Outcome = (typeof OUTCOMES)[number]['value'];

/** A decision that was made. */
export interface Decided {
  report: AdminReport;
  /** Such as 'Warning'. */
  words: string;
}

/** Sends the decision on a report: by the form, or by one press (`quick`). */
export function useDecide({
  report,
  outcome,
  sanction,
  notes,
  removes,
  acts,
  onDone,
  onConflict,
}: {
  report: AdminReport;
  outcome: Outcome;
  sanction: SanctionDraft;
  notes: string;
  /** Whether the message is removed. */
  removes: boolean;
  acts: ContentAct[];
  onDone: (decided: Decided) => void;
  /** Reloads the report after another moderator or the reporter has changed it. */
  onConflict: () => Promise<unknown>;
}) {
  const [hasConflict, setHasConflict] = useState(false);
  const [problem, setProblem] = useState('');
  async function decide(
    keyFor: (...of: unknown[]) => string,
    status: Outcome,
    chosen: SanctionDraft,
  ) {
    setHasConflict(false);
    const isUpheld = status === 'resolved';
    const given = isUpheld ? sanctionOf(chosen) : null;
    const body = {
      version: report.version,
      status,
      admin_notes: notes.trim() || null,
      undo_seconds: UNDO_SECONDS,
      remove_message: isUpheld && removes,
      acts: isUpheld ? acts : [],
      sanction: given,
    };
    const params = { id: report.id };
    const decided = await call(decideReport, {
      params,
      body,
      idempotencyKey: keyFor(params, body),
    });
    void queries.invalidateQueries({ queryKey: ['admin'] });
    const confirmed = given ? WARNING_TYPES[given.warning_type] : 'Confirmed';
    onDone({
      report: decided.report,
      words: isUpheld ? confirmed : (OUTCOMES.find(({ value }) => value === status)?.name ?? ''),
    });
  }
  async function explain(error: unknown): Promise<boolean> {
    if (!(error instanceof CallError)) return false;
    if (error.code !== EDITED_MEANWHILE && error.code !== TAKEN) return false;
    await onConflict();
    if (error.code === TAKEN) return false;
    setHasConflict(true);
    return true;
  }
  const form = useSubmit((keyFor) => decide(keyFor, outcome, sanction), { onError: explain });

  const [quick, deciding] = useAction(async (type: WarningType | null) => {
    setProblem('');
    try {
      await decide(
        // Each press is a decision of its own; a repeat of the same one is refused by its version.
        newId,
        type ? 'resolved' : 'dismissed',
        type ? { ...noSanction(type), reason: sanction.reason } : sanction,
      );
    } catch (error) {
      if (!(await explain(error))) setProblem(messageOf(error));
    }
  });

  return { form, quick, deciding, problem, setProblem, hasConflict };
}
