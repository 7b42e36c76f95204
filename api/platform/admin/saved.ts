import { deleteSaved, listSaved, save, type SavedKind } from '#shared/admin/contract.ts';
import { SAVED_MAX } from '#shared/admin/rules.ts';
import { hashOf } from '../hash.ts';
import { HttpError } from '../http/http-error.ts';
import { serve } from '../http/mount-endpoint.ts';
import type { Api } from '../services.ts';
import { savedRows, type SavedRow } from './collections.ts';

const present = ({ _id, name, text }: SavedRow) => ({ id: _id, name, text });

/** What admins save by name: views of lists, and texts to begin with. */
export function mountSaved(api: Api): void {
  const { db } = api.services;
  const ownerOf = (kind: SavedKind, userId: string) => (kind === 'view' ? userId : null);

  serve(api, listSaved, async ({ query: { kind }, caller: { user } }) => {
    const rows = await savedRows(db)
      .find({ kind, admin_user_id: ownerOf(kind, user._id) })
      .sort({ name: 1 })
      .limit(SAVED_MAX)
      .toArray();
    return { saved: rows.map(present) };
  });

  serve(api, save, async ({ body: { kind, name, text }, caller: { user } }) => {
    const of = { kind, admin_user_id: ownerOf(kind, user._id) };
    const _id = hashOf([kind, of.admin_user_id, name.toLowerCase()]);
    if ((await savedRows(db).countDocuments({ ...of, _id: { $ne: _id } })) >= SAVED_MAX)
      throw new HttpError(409, `You can save up to ${SAVED_MAX}. Delete one first.`);
    const row = { ...of, name, text };
    await savedRows(db).updateOne({ _id }, { $set: row }, { upsert: true });
    return { saved: present({ _id, ...row }) };
  });

  serve(api, deleteSaved, async ({ params: { id }, caller: { user } }) => {
    const { deletedCount } = await savedRows(db).deleteOne({
      _id: id,
      admin_user_id: { $in: [user._id, null] },
    });
    if (deletedCount === 0) throw new HttpError(404, 'It was deleted already');
    return {};
  });
}
