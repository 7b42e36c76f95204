import type { Db } from 'mongodb';
import { listDrafts, NOT_FRIENDS, saveDraft } from '#shared/chat/contract.ts';
import { mergeDraft, NO_DRAFT } from '#shared/chat/drafts.ts';
import { HttpError } from '#shared/http/http-error.ts';
import { isDuplicate } from '#shared/server/database-errors.ts';
import { serve } from '../../platform/http/mount-endpoint.ts';
import type { PersonalDataHandler } from '../../platform/personal-data.ts';
import { findTogether } from '../../platform/read-together.ts';
import type { Api, Services } from '../../platform/services.ts';
import { drafts, type DraftRow } from './collections.ts';
import { threadOf } from './threads.ts';

const idOf = (userId: string, friendUserId: string) => `${userId}:${friendUserId}`;

const presentDraft = ({ friend_user_id, text, copy, version }: DraftRow) => ({
  friend_user_id,
  text,
  copy,
  version,
});

/** Drafts: the latest text that a user has not sent to each friend (decision 51). */
export function mountDrafts(api: Api): void {
  const { services } = api;
  const { db, events } = services;

  serve(api, listDrafts, async ({ caller: { user } }) => {
    const filter = { user_id: user._id };
    const rows = await findTogether(db, drafts(db), () => ({ filter }));
    return { drafts: rows.map(presentDraft) };
  });

  serve(api, saveDraft, async ({ params: { friendUserId }, body, caller: { user } }) => {
    await services.limitChanges(user._id);
    // A draft to someone who can't be written to anymore can only be removed.
    if (body.text !== '' && !(await threadOf(services, user._id, friendUserId)))
      throw new HttpError(404, NOT_FRIENDS);
    for (;;) {
      const _id = idOf(user._id, friendUserId);
      const row = await drafts(db).findOne({ _id });
      const before = row ?? NO_DRAFT;
      const after = mergeDraft(before, body);
      const saved = {
        _id,
        user_id: user._id,
        friend_user_id: friendUserId,
        ...after,
        changed_at: new Date(),
      };
      if (after === before) return { draft: presentDraft(saved) };
      if (!(await replace(db, row, saved))) continue;
      events.send(user._id, { type: 'drafts' });
      return { draft: presentDraft(saved) };
    }
  });
}

/** @param before what the row has to be still; null if there must be none. @returns whether it was replaced */
async function replace(db: Db, before: DraftRow | null, after: DraftRow): Promise<boolean> {
  const same = { _id: after._id, version: before?.version ?? 0 };
  if (after.text === '' && after.copy === null)
    return before === null || (await drafts(db).deleteOne(same)).deletedCount > 0;
  try {
    if (!before) await drafts(db).insertOne(after);
    return !before || (await drafts(db).replaceOne(same, after)).matchedCount > 0;
  } catch (error) {
    if (!isDuplicate(error)) throw error;
    return false;
  }
}

export const draftData = ({ db }: Services): PersonalDataHandler => ({
  name: 'drafts',
  async export({ _id }) {
    const rows = await drafts(db).find({ user_id: _id }).toArray();
    return rows.map(({ friend_user_id, text, copy, changed_at }) => ({
      to_user_id: friend_user_id,
      text,
      ...(copy !== null && { copy }),
      changed_at,
    }));
  },
  async remove({ _id }) {
    await drafts(db).deleteMany({ $or: [{ user_id: _id }, { friend_user_id: _id }] });
  },
});
