import { deleteSaved, listSaved, save, type SavedKind } from '#shared/admin/contract.ts';
import { SAVED_MAX } from '#shared/admin/rules.ts';
import { HttpError } from '#shared/http/http-error.ts';
import { hashOf } from '../hash.ts';
import { serve } from '../http/mount-endpoint.ts';
import type { Api } from '../services.ts';
import { savedRows, type SavedRow } from './collections.ts';
import { createRow, edit, removeRow } from './versioned-edit.ts';

const present = ({ _id, name, text }: SavedRow) => ({ id: _id, name, text });

const missing = 'It was deleted already';

/** What admins save by name: views of lists, and texts to begin with. Changes of texts, which all admins use, are audited. */
export function mountSaved(api: Api): void {
  const { services } = api;
  const { db } = services;
  const ownerOf = (kind: SavedKind, userId: string) => (kind === 'view' ? userId : null);

  serve(api, listSaved, async ({ query: { kind }, caller: { user } }) => {
    const rows = await savedRows(db)
      .find({ kind, admin_user_id: ownerOf(kind, user._id) })
      .sort({ name: 1 })
      .limit(SAVED_MAX)
      .toArray();
    return { saved: rows.map(present) };
  });

  serve(api, save, async ({ body: { kind, name, text }, caller }) => {
    const of = { kind, admin_user_id: ownerOf(kind, caller.user._id) };
    const _id = hashOf([kind, of.admin_user_id, name.toLowerCase()]);
    if ((await savedRows(db).countDocuments({ ...of, _id: { $ne: _id } })) >= SAVED_MAX)
      throw new HttpError(409, `You can save up to ${SAVED_MAX}. Delete one first.`);
    const row = { ...of, _id, name, text };
    if (kind === 'view') {
      await savedRows(db).replaceOne({ _id }, row, { upsert: true });
      return { saved: present(row) };
    }
    if (!(await savedRows(db).findOne({ _id }))) {
      const act = 'template.create';
      await createRow(services, savedRows(db), { caller, act, row, auditFields: { name, text } });
    }
    // Also after another admin created it at the same moment; without a change it does nothing.
    const set = { name, text };
    const edited = { caller, act: 'template.update', id: _id, set, missing } as const;
    return { saved: present(await edit(services, savedRows(db), edited)) };
  });

  serve(api, deleteSaved, async ({ params: { id }, caller }) => {
    const row = await savedRows(db).findOne({ _id: id });
    if (row?.kind === 'view') {
      const own = { _id: id, admin_user_id: caller.user._id };
      const { deletedCount } = await savedRows(db).deleteOne(own);
      if (deletedCount === 0) throw new HttpError(404, missing);
      return {};
    }
    const auditFields = ({ name, text }: SavedRow) => ({ name, text });
    const act = 'template.delete';
    await removeRow(services, savedRows(db), { caller, act, id, missing, auditFields });
    return {};
  });
}
