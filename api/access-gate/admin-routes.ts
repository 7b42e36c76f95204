import {
  createCode,
  deleteCode,
  listCodes,
  listCodeUses,
  updateCode,
  type AccessCode,
} from '#shared/access-gate/contract.ts';
import { isDuplicate } from '../database.ts';
import { Refusal } from '../refusal.ts';
import { serve } from '../serve.ts';
import type { Api } from '../services.ts';
import type { AccessCodeRow } from './rows.ts';

const present = ({ _id, expires_at, created_at, ...row }: AccessCodeRow): AccessCode => ({
  ...row,
  id: _id,
  expires_at: expires_at?.toISOString() ?? null,
  created_at: created_at.toISOString(),
});

const dateOf = <T extends null | undefined>(time: string | T): Date | T =>
  typeof time === 'string' ? new Date(time) : time;
const notFound = () => new Refusal(404, 'Access code not found');
const USES_MAX = 1_000;

/** The admin panel's access codes. */
export function mountAccessCodes(api: Api): void {
  const { accessCodes, accessCodeUses } = api.services.database;

  serve(api, listCodes, async () => {
    const rows = await accessCodes.find().sort({ created_at: -1, _id: 1 }).toArray();
    return { accessCodes: rows.map(present) };
  });

  serve(api, createCode, async ({ body, freshId }) => {
    const row: AccessCodeRow = {
      _id: freshId(),
      code: body.code,
      description: body.description ?? null,
      max_uses: body.max_uses ?? null,
      current_uses: 0,
      is_active: true,
      expires_at: dateOf(body.expires_at) ?? null,
      created_at: new Date(),
    };
    try {
      await accessCodes.insertOne(row);
    } catch (error) {
      if (!isDuplicate(error)) throw error;
      const words = 'This access code already exists';
      throw new Refusal(409, words, { fields: { code: words }, cause: error });
    }
    return { accessCode: present(row) };
  });

  serve(api, updateCode, async ({ params, body }) => {
    const { expires_at, ...rest } = body;
    // Undefined stays as it is; null is 'none'.
    const set = { ...rest, expires_at: dateOf(expires_at) };
    const changes = Object.values(set).some((value) => value !== undefined);
    const row = changes
      ? await accessCodes.findOneAndUpdate(
          { _id: params.id },
          { $set: set },
          { returnDocument: 'after' },
        )
      : await accessCodes.findOne({ _id: params.id });
    if (!row) throw notFound();
    return { accessCode: present(row) };
  });

  // A used code may be deleted too: its uses stay, and so does the access that it gave.
  serve(api, deleteCode, async ({ params }) => {
    const { deletedCount } = await accessCodes.deleteOne({ _id: params.id });
    if (deletedCount === 0) throw notFound();
    return {};
  });

  serve(api, listCodeUses, async ({ params }) => {
    const rows = await accessCodeUses
      .find({ access_code_id: params.id })
      .sort({ used_at: -1, _id: 1 })
      .limit(USES_MAX)
      .toArray();
    if (rows.length === 0 && !(await accessCodes.findOne({ _id: params.id }))) throw notFound();
    return {
      uses: rows.map(({ _id, used_at, ...row }) => ({
        ...row,
        id: _id,
        used_at: used_at.toISOString(),
      })),
    };
  });
}
